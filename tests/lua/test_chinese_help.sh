#!/bin/sh
# In Chinese every name that a lesson uses is explained by a Chinese line, and so is each topic of help (lib/chinese.lua).
# Sources: lib/chinese.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

# What is without its line: of the rows of help those that a lesson's code or prose names; or a line that explains nothing there is.
missing() { # "skip NAME": as if NAME had none
    "$phasor" -e "skip = '$1'"'
      local chinese = require "phasor.lib.chinese"
      local rows, parse = {}, require "phasor.course.parse"
      for _, r in ipairs(help.rows) do
        rows[r.name] = true
        if not chinese.topics[r.topic] then print("the topic " .. r.topic) end
      end
      local told = {}
      local function look(text, pattern)
        for name in text:gmatch(pattern) do
          if rows[name] and (not chinese.names[name] or name == skip) and not told[name] then
            told[name] = true
            print(name)
          end
        end
      end
      for _, l in ipairs(require "phasor.course.shipped") do
        for _, cell in ipairs(parse.parse(l.text, l.name .. ".lua").cells) do
          if cell.text then look(cell.text, "`([%a_][%w_]*)")
          else look(cell.code:gsub("%-%-[^\n]*", ""):gsub("\"[^\"\n]*\"", ""), "%f[%w_.:]([%a_][%w_]*)") end
        end
      end
      for name in pairs(chinese.names) do if not rows[name] then print("no such name: " .. name) end end'
}
every_name_of_a_lesson_has_a_chinese_line() { missing ''; }
a_missing_line_is_found() { finds softmax missing softmax; }

# Chinese is what a line says: no English words of four letters, but names and formulas.
lines_are_chinese() {
    "$phasor" -e 'for name, line in pairs(require("phasor.lib.chinese").names) do
      if not line:find "[\xE4-\xE9][\x80-\xBF][\x80-\xBF]" or line:find "%l%l%l%l+ %l%l%l%l+" then print(name .. ": " .. line) end
    end'
}

run_cases every_name_of_a_lesson_has_a_chinese_line a_missing_line_is_found lines_are_chinese
