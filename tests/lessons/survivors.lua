return function(f) end
