-- What somebody does in Neovim with the setup of docs/editors.md, and what the editor showed, as JSON.
-- Asked for by environment: SETUP (the block of the page), FILE, TITLE (part of a code action's), OUT.

local PATIENCE = tonumber(vim.env.PATIENCE)

-- Before 0.11 the same table is started by hand, and a client has no `exec_cmd`.
if not vim.lsp.enable then
  local tables = {}
  vim.lsp.config = function(name, table)
    tables[name] = table
  end
  vim.lsp.enable = function(name)
    local table = tables[name]
    vim.api.nvim_create_autocmd("FileType", {
      pattern = table.filetypes,
      callback = function(event)
        local marker = vim.fs and vim.fs.find(table.root_markers, { upward = true, path = event.file })[1]
        local id = vim.lsp.start_client({
          name = name,
          cmd = table.cmd,
          root_dir = marker and vim.fn.fnamemodify(marker, ":h") or vim.fn.fnamemodify(event.file, ":p:h"),
          init_options = table.init_options,
          commands = table.commands,
        })
        vim.lsp.buf_attach_client(event.buf, id)
      end,
    })
  end
  local by_id = vim.lsp.get_client_by_id
  vim.lsp.get_client_by_id = function(id)
    local client = by_id(id)
    if client and not client.exec_cmd then
      client.exec_cmd = function(self, command)
        self.request("workspace/executeCommand", { command = command.command, arguments = command.arguments })
      end
    end
    return client
  end
end

local function until_holds(holds)
  return vim.wait(PATIENCE, holds, 50)
end

local function rules()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.code then
      table.insert(found, one.code)
    end
  end
  return found
end

local function breaks(rule)
  return vim.tbl_contains(rules(), rule)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window
    end
  end
end

-- The menu of code actions is answered by the title of one.
local offered = {}
local wanted
vim.ui.select = function(items, options, choose)
  offered = {}
  for number, item in ipairs(items) do
    local title = options.format_item(item)
    table.insert(offered, title)
    if title:find(wanted, 1, true) then
      return choose(item, number)
    end
  end
  choose(nil)
end
vim.ui.input = function(_, answer)
  answer("one turn")
end

local told = {}
local RULE = "loop-guard-absence"

dofile(vim.env.SETUP)
vim.cmd("filetype on")
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.FILE))
until_holds(function()
  return breaks(RULE)
end)
told.rules = rules()

local line = vim.fn.search("max_turns=None")
vim.fn.cursor(line, vim.fn.match(vim.fn.getline(line), "run_sync") + 1)
vim.lsp.buf.hover()
until_holds(floating)
local window = floating()
if window then
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  told.hover = table.concat(lines, "\n")
  vim.api.nvim_win_close(window, true)
end

vim.lsp.codelens.refresh()
until_holds(function()
  return #vim.lsp.codelens.get(0) > 0
end)
told.lenses = {}
for _, lens in ipairs(vim.lsp.codelens.get(0)) do
  table.insert(told.lenses, lens.command.title)
end

local before = text()
wanted = vim.env.TITLE
vim.lsp.buf.code_action()
until_holds(function()
  return text() ~= before
end)
told.offered = offered
told.fixed = text()
told.is_closed = until_holds(function()
  return not breaks(RULE)
end)

vim.cmd("undo")
until_holds(function()
  return breaks(RULE)
end)
before = text()
wanted = "Ignore " .. RULE
vim.fn.cursor(line, vim.fn.match(vim.fn.getline(line), "run_sync") + 1)
vim.lsp.buf.code_action()
until_holds(function()
  return text() ~= before
end)
told.ignored = text()
told.is_hidden = until_holds(function()
  return not breaks(RULE)
end)

local file = assert(io.open(vim.env.OUT, "w"))
file:write(vim.fn.json_encode(told))
file:close()
vim.cmd("qa!")
