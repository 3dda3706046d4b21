-- Programs of test_notebook.c, which it names by what stands behind the @.

-- @prelude
notebook, json, catalogue = require 'phasor.course.notebook', require 'phasor.course.json', require 'phasor.course.catalogue'
teacher = notebook.make(catalogue.open 'rope', {lang = 'en'})
student = notebook.make(catalogue.open 'rope', {lang = 'zh', student = true})
function cell(book, id) for _, c in ipairs(book.cells) do if c.id == id then return c end end end
function source(book, id) return table.concat(cell(book, id).source) end

-- @ids_and_metadata
for _, name in ipairs(catalogue.names()) do
  for _, lang in ipairs {'en', 'zh'} do
    local seen = {}
    for _, c in ipairs(notebook.make(catalogue.open(name), {lang = lang}).cells) do
      assert(c.id:find '^[%w_-]+$' and #c.id <= 64 and not seen[c.id], c.id)
      seen[c.id] = true
    end
  end
end
