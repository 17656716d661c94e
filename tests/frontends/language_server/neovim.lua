-- Open FILE in Neovim with the server COMMAND, print as JSON what the editor has got from it.
local shown = {}
local id = vim.lsp.start_client({
  name = 'puppet-repl',
  cmd = vim.fn.json_decode(vim.env.COMMAND),
  root_dir = vim.env.ROOT,
})
vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))
vim.bo.filetype = 'puppet'
vim.lsp.buf_attach_client(0, id)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
shown.diagnostics = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(shown.diagnostics, each.message)
end

local function ask(method, line, character)
  local document = vim.lsp.util.make_text_document_params()
  local position = { line = line, character = character }
  local given = { textDocument = document, position = position }
  return vim.lsp.buf_request_sync(0, method, given, 60000)[id].result
end

shown.hover = ask('textDocument/hover', 1, 4).contents.value
shown.completion = ask('textDocument/completion', 2, 10).items[1].label
shown.symbols = { ask('textDocument/documentSymbol', 0, 0)[1].name }
-- A lens, as the editor runs it, and what the editor gets.
local lens = ask('textDocument/codeLens', 0, 0)[1]
shown.lens = lens.command.title
local ran = vim.lsp.buf_request_sync(0, 'workspace/executeCommand', {
  command = lens.command.command,
  arguments = lens.command.arguments,
}, 60000)[id]
shown.catalog = ran.result and ran.result.text or vim.inspect(ran)
local edits = ask('textDocument/formatting', 0, 0)
vim.lsp.util.apply_text_edits(edits, 0, vim.lsp.get_client_by_id(id).offset_encoding)
shown.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'

local function rename(line, character, name)
  vim.api.nvim_win_set_cursor(0, { line, character })
  vim.lsp.buf.rename(name)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

rename(1, 14, 'door')
vim.wait(60000, function() return text():find('$door') ~= nil end, 20)
shown.parameter = text()
vim.cmd('write')
rename(1, 7, 'shop::main')
local target = vim.env.ROOT .. '/manifests/main.pp'
vim.wait(60000, function() return vim.fn.filereadable(target) == 1 end, 20)
shown.class = text()
shown.file = vim.fn.expand('%:t')
io.stdout:write(vim.fn.json_encode(shown))
vim.cmd('qall!')
