-- A session of nvim-dap: a breakpoint with a condition, a step, an expression, the end.
local dap = require('dap')
local command = vim.json.decode(vim.env.COMMAND)
local shown = { stops = {}, output = '' }

dap.adapters.puppet = {
  type = 'executable',
  command = command[1],
  args = { unpack(command, 2) },
}
vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))
vim.api.nvim_win_set_cursor(0, { 5, 0 })
dap.set_breakpoint('$n == 2')

local function finish()
  io.stdout:write(vim.json.encode(shown))
  io.stdout:flush()
  vim.cmd('qall!')
end

dap.listeners.after.event_output.test = function(_, body)
  shown.output = shown.output .. body.output
end
dap.listeners.after.event_exited.test = function(_, body)
  shown.status = body.exitCode
end
dap.listeners.after.event_terminated.test = function()
  vim.defer_fn(finish, 200)
end
-- nvim-dap asks for the frames and the scopes by itself; scopes come last.
dap.listeners.after.scopes.test = function(session)
  local frame = session.current_frame
  table.insert(shown.stops, { frame.name, frame.line })
  if #shown.stops == 1 then
    session:evaluate('$n * 21', function(_, answer)
      shown.value = answer.result
      dap.step_over()
    end)
  else
    dap.continue()
  end
end

dap.run({
  type = 'puppet',
  request = 'launch',
  name = 'this manifest',
  program = vim.env.FILE,
})
vim.defer_fn(function()
  shown.problem = 'it took too long'
  finish()
end, 60000)
