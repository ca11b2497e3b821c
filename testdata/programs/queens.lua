-- The eight queens, for a recording of a real interpreter: closures, tables, strings and a garbage collector at work.
local N = 6
local solutions = {}

local function free(board, row, column)
  for r = 1, row - 1 do
    local c = board[r]
    if c == column or math.abs(c - column) == row - r then return false end
  end
  return true
end

local function place(board, row)
  if row > N then
    solutions[#solutions + 1] = table.concat(board, " ")
    return
  end
  for column = 1, N do
    if free(board, row, column) then
      board[row] = column
      place(board, row + 1)
    end
  end
  board[row] = nil
end

place({}, 1)
print(#solutions .. " ways to place " .. N .. " queens")
