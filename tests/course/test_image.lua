-- Programs of test_image.c, which it names by what stands behind the @.

-- @lesson
-- %% [markdown] ref="one" lang="en"
-- # Turns
-- %% [markdown] ref="one" lang="zh"
-- # 圈
-- %%
function base() return "canary:seen" end
-- %% role="exercise" ref="one" points=4
function f(x)
  --- BEGIN SOLUTION
  local told = "canary:solution"
  return 2 * x
  --- END SOLUTION
end
-- %% role="check" ref="one"
feedback(same(f, function(x) return 2 * x, "canary:check" end, {what = "f", at = {{1}}}))
--- BEGIN HIDDEN TESTS
feedback(same(f, function(x) return 2 * x, "canary:hidden" end, {what = "f", at = {{2}}}))
--- END HIDDEN TESTS
-- %% role="wrong" ref="one" expect="f(1)"
function f(x) return x, "canary:wrong" end
-- %%
later = "canary:later"
