#!/usr/bin/python3
"""The kernel under Jupyter's own test of kernels (jupyter_kernel_test); make kernel-test runs it.

JUPYTER_PATH leads to the kernel that is tried. Nothing may fail, and nothing be left out but the pager, which the kernel has no use for.
"""
import sys
import unittest

import jupyter_kernel_test


class PhasorTests(jupyter_kernel_test.KernelTests):
    kernel_name = "phasor"
    language_name = "lua"
    file_extension = ".lua"
    code_hello_world = "print 'hello, world'"
    code_stderr = "io.stderr:write 'test'"
    completion_samples = [
        {"text": "sinus", "matches": {"sinusoidal", "sinusoidal_t2t"}},
        {"text": "\\theta", "matches": {"θ"}},
        {"text": "string.rev", "matches": {"reverse"}},
    ]
    complete_code_samples = ["1 + 1", "x = 1", "for i = 1, 3 do print(i) end", "θ = pi"]
    incomplete_code_samples = ["for i = 1, 3 do", "f(", "[[", "function f()"]
    invalid_code_samples = ["x = = 1", "end", "'open"]
    code_generate_error = "error 'oh'"
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "'θ'", "result": "θ"},
        {"code": "prove(sin(sym 'a')^2 + cos(sym 'a')^2, 1).strength", "result": "proved"},
        {"code": "eye(2)", "mime": "text/html"},
        {"code": "sin(sym 'a')", "mime": "text/latex"},
    ]
    code_display_data = [
        {"code": "display(plot(linspace(0, 1, 5)))", "mime": "image/svg+xml"},
        {"code": "display{['text/markdown'] = '*x*'}", "mime": "text/markdown"},
    ]
    code_history_pattern = "6*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "rope"
    code_clear_output = "clear()"


if __name__ == "__main__":
    program = unittest.main(exit=False)
    left_out = [str(test) for test, _ in program.result.skipped if "pager" not in str(test)]
    print("left out:", left_out or "the pager")
    sys.exit(not program.result.wasSuccessful() or bool(left_out))
