-- Programs of test_lesson.c, which it names by what stands behind the @.

-- @lesson
-- %% [markdown] ref="one" lang="en"
-- # One step
-- Let $x_1$ be two.
-- %% [markdown] ref="one" lang="zh"
-- # 第一步
-- 设 $x_1$ 为二，于是我们便可以接着往下走，看看这一行中文有没有在八十列处折行，又折得对不对。
-- %% ref="one"
two = 2
print('two is ' .. two)
-- %% [markdown] ref="double" lang="en"
-- Write `twice(x)`.
-- %% [markdown] ref="double" lang="zh"
-- 写 `twice(x)`。
-- %% role="exercise" ref="double" points=2
function twice(x)
  --- BEGIN SOLUTION
  return two * x
  --- END SOLUTION
end
-- %% role="hint" ref="double" lang="en"
-- Times `two`.
-- %% role="hint" ref="double" lang="zh"
-- 乘以 `two`。
-- %% role="check" ref="double"
feedback(same(twice, function(x) return 2 * x end, {what = 'twice', at = {{3}}}))
-- %%
print('four is ' .. twice(2))
