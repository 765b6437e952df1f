/** What agents call the one tool that runs commands, in small letters. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set(
  'bash shell sh terminal local_shell exec_command shell_command run_command run_shell_command run_terminal_cmd run_in_terminal execute_command execute_bash'.split(
    ' ',
  ),
)
