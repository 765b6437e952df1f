import type { ActionVerb } from '../../../shared/domain/experience'

/** Tools of the known frameworks by what they do; compared in lower case. */
const TOOLS: Readonly<Record<Exclude<ActionVerb, 'other'>, readonly string[]>> = {
  search:
    'search search_agent web_search search_web websearch duckduckgosearchtool google_search search_google search_duckduckgo search_wiki grep glob search_dir search_file find_file find_files search_files toolsearch rg'.split(
      ' ',
    ),
  browse:
    'browse browse_interactive browse_url browser browser_use visit_webpage visit webfetch web_fetch extract_document_content read_page goto click scroll page_down page_up open_url'.split(
      ' ',
    ),
  read: 'read open cat view view_image read_file read_document inspect_file_as_text describe_image transcribe_audio describe_video ls list_dir list_files list_documents notebookread goto_line'.split(
    ' ',
  ),
  write: 'write create write_file create_file save_file write_to_file'.split(' '),
  edit: 'edit multiedit str_replace str_replace_editor file_editor insert apply_patch notebookedit undo_edit'.split(
    ' ',
  ),
  run: 'run run_ipython bash shell terminal local_shell exec exec_command python python_interpreter run_python run_javascript run_shell calculate differentiate simplify execute_bash execute_code execute_ipython_cell killshell bashoutput write_stdin'.split(
    ' ',
  ),
  query: 'query sql execute_sql database operation'.split(' '),
  ask: 'ask askuserquestion ask_user ask_human message'.split(' '),
  think: 'think todowrite update_plan condense recall exitplanmode exit_plan_mode planning'.split(' '),
  delegate: 'delegate task agent taskcreate spawn_agent'.split(' '),
  answer: 'answer final_answer finish submit task_completed exit'.split(' '),
}

const VERB_OF: ReadonlyMap<string, ActionVerb> = new Map(
  Object.entries(TOOLS).flatMap(([verb, tools]) => tools.map((tool) => [tool, verb as ActionVerb])),
)

/** What a tool does, in the standard vocabulary; `other` for one that is not known. */
export const verbOf = (tool: string): ActionVerb => VERB_OF.get(tool.trim().toLowerCase()) ?? 'other'

/** First words of a shell command and what they do. */
const COMMANDS: readonly (readonly [RegExp, ActionVerb])[] = [
  [/^(grep|rg|find|ag|search_dir|search_file|find_file)\b/, 'search'],
  [/^(cat|head|tail|less|ls|open|goto|scroll_\w+|sed -n)\b/, 'read'],
  [/^(edit|sed -i|apply_patch|str_replace|patch|insert)\b/, 'edit'],
  [/^(create|touch|tee)\b/, 'write'],
  [/^(curl|wget)\b/, 'browse'],
  [/^(submit|exit)\b/, 'answer'],
]

/** What a shell command does: searching and reading are told apart from running. */
export const verbOfCommand = (command: string): ActionVerb =>
  COMMANDS.find(([pattern]) => pattern.test(command.trim()))?.[1] ?? 'run'
