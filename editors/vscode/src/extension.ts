// The extension: starts `agent-architecture lsp`, and asks for the reason of an ignore comment. All else is the server's.
import { homedir } from "node:os";
import { commands, window, workspace, type ExtensionContext } from "vscode";
import { ExecuteCommandRequest, LanguageClient, type Executable } from "vscode-languageclient/node";

const ASK = "agent-architecture.askReason";
const IGNORE = "agent-architecture.ignore";
const LONGEST = 200;

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand(ASK, ignore),
    commands.registerCommand("agentArchitecture.restart", restart),
    workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("agentArchitecture") ? restart() : undefined)),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const [command, ...args] = workspace.getConfiguration("agentArchitecture").get<string[]>("command", []);
  if (command === undefined) {
    return;
  }
  // Not started in the workspace: some systems look for a program in the current folder first.
  const server: Executable = { command, args, options: { cwd: homedir() } };
  client = new LanguageClient("agent-architecture", "agent-architecture", server, {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: { asksReason: true },
  });
  try {
    await client.start();
  } catch {
    const said = `${command} could not be started: pip install 'agent-architecture[lsp]', or set agentArchitecture.command`;
    void window.showErrorMessage(said);
  }
}

/** Ask why a finding is acceptable, and have the server write the comment. */
async function ignore(uri: string, line: number, rule: string): Promise<void> {
  const reason = await window.showInputBox({
    title: `Ignore ${rule}`,
    prompt: "Why is it acceptable here? The reason stands in the comment.",
    validateInput: (text) => (/\w/.test(text) && text.length <= LONGEST ? undefined : "One line that says why."),
  });
  if (reason !== undefined && client !== undefined) {
    const asked = { command: IGNORE, arguments: [uri, line, rule, reason] };
    await client.sendRequest(ExecuteCommandRequest.type, asked);
  }
}
