// dagre as this program uses it.
import { graphlib, layout } from "@dagrejs/dagre";

export { layout };
export const Graph = graphlib.Graph;
