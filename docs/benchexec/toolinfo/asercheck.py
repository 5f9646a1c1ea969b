"""BenchExec tool-info module for asercheck. See docs/batch.md for how to use it."""

import json

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """One query of one model, as `asercheck batch --tasks` writes it; the engine is an option of the run definition."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("asercheck")

    def name(self):
        return "asercheck"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="asercheck")

    def cmdline(self, executable, options, task, rlimits):
        query = task.options or {}
        command = [executable, "check", task.single_input_file, "--format", "json", "--quiet"]
        if "pattern" in query:
            command += ["--pattern", str(query["pattern"])]
        if "units" in query:
            command += ["--units", query["units"]]
        for name in ("locations", "locks", "processes"):
            if query.get(name):
                command += ["--" + name, ",".join(query[name])]
        return command + options

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.signal is not None:
            return result.RESULT_ERROR + f" (signal {run.exit_code.signal})"
        by_code = {0: result.RESULT_TRUE_PROP, 1: result.RESULT_FALSE_PROP, 2: result.RESULT_ERROR + " (input)"}
        code = run.exit_code.value
        if code in by_code:
            return by_code[code]
        if code != 3:
            return result.RESULT_ERROR + f" (exit code {code})"
        reasons = {query.get("reason") for query in _report(run.output).get("queries", [])} - {None}
        return result.RESULT_UNKNOWN + (f" ({', '.join(sorted(reasons))})" if reasons else "")

    def get_value_from_output(self, output, identifier):
        """A member of the report's summary, for example `seconds`: asercheck's own time, without its start."""
        value = _report(output).get("summary", {}).get(identifier)
        return None if value is None else str(value)


def _report(output):
    """The report on standard output, which comes after BenchExec's lines; nothing if it is torn."""
    text = output.text
    try:
        return json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return {}
