/**
 * What tools of other agents complained of in two tasks or more, and whether a reader found it of use to other tasks: drawn from sessions with
 * LifelongAgentBench's databases and shells, tau-bench, SWE-bench and GAIA. Label and statement; long statements are cut. What a small model says of
 * these shows whether it can judge anything that Loam might ask it.
 */
export const ROLE_QUESTIONS: readonly (readonly [isOfUse: boolean, statement: string])[] = [
  [
    true,
    'A reply cut off before its action is refused: "Can not find action in agent response. Pattern: "Action: (Operation|Answer)\\n" (87 tasks).',
  ],
  [
    true,
    'An empty reply is refused: "Can not find action in agent response. Pattern: "Action: (Operation|Answer)\\n" (85 tasks).',
  ],
  [
    true,
    'A reply without an action is refused: "Can not find action in agent response. Pattern: "Action: (Operation|Answer)\\n" (82 tasks).',
  ],
  [
    true,
    'sql refuses: "1064 (#): You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ‹Action…› at line #" (36 tasks). It went a',
  ],
  [
    true,
    'A reply without an action is refused: "Can not find final answer in agent response. Pattern: \\nFinal Answer:(.*)" (33 tasks).',
  ],
  [
    true,
    'A reply without an action is refused: "Can not find SQL in agent response. Pattern: "```sql\\n([\\s\\S]*?)\\n```" (11 tasks).',
  ],
  [
    true,
    'A reply cut off before its action is refused: "Can not find SQL in agent response. Pattern: "```sql\\n([\\s\\S]*?)\\n```" (8 tasks).',
  ],
  [
    true,
    `sql refuses: "1093 (HY000): You can't specify target table '‹…›' for update in FROM clause" (8 tasks).`,
  ],
  [
    true,
    'sql refuses: "1064 (#): You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ‹```…› at line #" (3 tasks).',
  ],
  [false, `sql refuses: "1054 (42S22): Unknown column ‹…› in 'field list'" (2 tasks).`],
  [true, 'sql refuses: "1111 (HY000): Invalid use of group function" (2 tasks).'],
  [
    false,
    'sql refuses: "1064 (#): You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ‹…› at line #" (2 tasks).',
  ],
  [
    true,
    'A reply cut off before its action is refused: "Can not find action in agent response. Pattern: "Action: (Operation|Answer)\\n" (22 tasks).',
  ],
  [
    true,
    'A reply cut off before its action is refused: "Can not find SQL in agent response. Pattern: "```sql\\n([\\s\\S]*?)\\n```" (16 tasks).',
  ],
  [
    true,
    'A reply without an action is refused: "Can not find action in agent response. Pattern: "Action: (Operation|Answer)\\n" (8 tasks).',
  ],
  [
    true,
    `sql refuses: "1093 (HY000): You can't specify target table '‹…›' for update in FROM clause" (8 tasks).`,
  ],
  [true, 'sql refuses: "1111 (HY000): Invalid use of group function" (3 tasks).'],
  [
    true,
    'A reply without an action is refused: "Can not find SQL in agent response. Pattern: "```sql\\n([\\s\\S]*?)\\n```" (2 tasks).',
  ],
  [true, 'bash refuses: "bash: line #: sudo: command not found" (12 tasks). It went away without `sudo`.'],
  [
    true,
    'A reply cut off before its action is refused: "Cannot extract action from agent response. Pattern: "Act:\\s*(.+)"" (6 tasks).',
  ],
  [false, 'bash refuses: "bash: line #: ‹path›: No such file or directory" (3 tasks).'],
  [false, 'bash refuses: "ls: cannot access ‹…›: No such file or directory" (2 tasks).'],
  [false, 'bash refuses: "mkdir: cannot create directory ‹…›: File exists" (2 tasks).'],
  [
    true,
    'book_reservation refuses: "Error: payment amount does not add up, total price is #, but paid #" (6 tasks).',
  ],
  [false, 'update_reservation_flights refuses: "Error: not enough seats on flight ‹…›" (3 tasks).'],
  [
    true,
    'update_reservation_flights refuses: "Error: certificate cannot be used to update reservation" (3 tasks). It went away without `certificate_#` with `gift_card_#`.',
  ],
  [false, 'update_reservation_flights refuses: "Error: gift card balance is not enough" (2 tasks).'],
  [false, 'update_reservation_flights refuses: "Error: flight ‹…› not available on date #-#-#" (2 tasks).'],
  [false, 'update_reservation_flights refuses: "Error: payment method not found" (2 tasks).'],
  [false, 'book_reservation refuses: "Error: not enough balance in payment method ‹…›" (2 tasks).'],
  [
    true,
    'bash refuses: "‹path›: No module named pytest" (56 tasks). It went away without `python# -m pytest` with `test`.',
  ],
  [
    true,
    'bash refuses: "bash: line #: pytest: command not found" (23 tasks). It went away without `pytest` with `bin/test`.',
  ],
  [false, 'bash refuses: "ModuleNotFoundError: No module named ‹…›" (10 tasks).'],
  [
    false,
    'bash refuses: "‹path›: No module named pytest" (8 tasks). It went away without `/usr/bin/python# -m` with `test_domain_py`.',
  ],
  [
    true,
    `bash refuses: "UnicodeEncodeError: 'ascii' codec can't encode characters in position #-#: ordinal not in range(#)" (6 tasks).`,
  ],
  [false, `bash refuses: "ValueError: Name node can't be used with 'False' constant" (5 tasks).`],
  [
    true,
    `bash refuses: "UnicodeDecodeError: 'ascii' codec can't decode byte ‹#› in position #: ordinal not in range(#)" (4 tasks).`,
  ],
  [
    true,
    'bash refuses: "The last command <command>pytest lib‹path›</command> timed out and has been killed." (4 tasks).',
  ],
  [
    true,
    'bash refuses: "ERROR: file or directory not found: tests/‹…›" (4 tasks). It went away without `test_domain_python` with `test_domain_py`.',
  ],
  [false, 'bash refuses: "ls: cannot access ‹…›: No such file or directory" (3 tasks).'],
  [
    false,
    'bash refuses: "‹path›: No module named django.test.__main__; ‹…› is a package and cannot be directly executed" (3 tasks).',
  ],
  [
    false,
    `bash refuses: "TypeError: 'requests.post(url, data=\\'[{"some": "data"}]\\', files={\\'some\\': f})' object (type: <class 'str'>) must be callable" (3 tasks).`,
  ],
  [false, 'bash refuses: "SyntaxError: invalid syntax" (3 tasks).'],
  [
    false,
    `bash refuses: "E astropy.utils.exceptions.AstropyWarning: leap-second auto-update failed due to the following exception: IERSStaleWarning('leap-second file is expired.')" (2 tasks).`,
  ],
  [
    false,
    `bash refuses: "django.core.exceptions.ValidationError if the data can't be converted." (2 tasks).`,
  ],
  [false, 'bash refuses: "ValueError: Port out of range #-#" (2 tasks).'],
  [
    true,
    'bash refuses: "The last command <command>pytest xarray‹path›</command> timed out and has been killed." (2 tasks).',
  ],
  [false, 'bash refuses: "IndentationError: expected an indented block" (2 tasks).'],
  [false, 'bash refuses: "ERROR: file or directory not found: sklearn‹path›" (2 tasks).'],
  [
    true,
    'bash refuses: "‹path›: No module named pytest" (2 tasks). It went away without `/usr/bin/python# -m`.',
  ],
  [false, 'bash refuses: "logger.warning(__(‹invalid…›) % (self.objtype, self.name)," (2 tasks).'],
  [false, 'bash refuses: "ValueError: Integers # through # must be present." (2 tasks).'],
  [false, 'web_search refuses: "Error reading page: No content extracted from https:/‹path›" (9 tasks).'],
  [false, 'web_search refuses: "Error in generating tool call with model:" (6 tasks).'],
  [
    false,
    'web_search refuses: "Error when executing tool web_search with arguments {‹…›: ‹"…›}: RuntimeError: TERMINATE_QUOTA: Serper API quota or rate limit exceeded (status=#)" (3 tasks).',
  ],
  [false, 'crawl_page refuses: "Error reading page: No content extracted from https:/‹path›" (3 tasks).'],
  [false, 'crawl_page refuses: "Error in generating tool call with model:" (2 tasks).'],
  [
    false,
    'crawl_page refuses: "Error when executing tool web_search with arguments {‹…›: ‹"…›}: RuntimeError: TERMINATE_QUOTA: Serper API quota or rate limit exceeded (status=#)" (2 tasks).',
  ],
]
