// Reads the document in the page and shows it.
import { render } from "preact";
import { App } from "./app";
import { read, type Document } from "./data";

const place = document.getElementById("report");
const data = document.getElementById("data");
if (place !== null && data !== null) render(<App report={read(JSON.parse(data.textContent ?? "") as Document)} />, place);
