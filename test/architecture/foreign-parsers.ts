/**
 * Every file of the host, or of the domain that it stands on, that makes values of text or bytes, by the reason why that is safe there. What comes from
 * outside is read below `main/adapters/isolate/work`, in processes that can be ended: a new file belongs there, or here with a reason that holds, which
 * says in whose process it runs and how much it reads at most.
 */
export const PARSERS: Readonly<Record<string, readonly string[]>> = {
  'only isolates call it': [
    'core/ground/entries.ts',
    'core/streams/parse-stream.ts',
    'core/streams/promptfoo-files.ts',
    'core/streams/tables.ts',
    'main/bundle/check-bundle.ts',
    'main/bundle/read-zip.ts',
    'core/formats/front-matter.ts',
    'core/formats/inspect/archive.ts',
    'core/formats/opencode-database/index.ts',
    'core/formats/units.ts',
    'core/formats/agent-skills/index.ts',
    'core/formats/parquet/table.ts',
    'core/sheets/sheet-file.ts',
    'core/memory/experiences/import/codex.ts',
    'core/memory/experiences/import/memento.ts',
    'core/memory/experiences/import/message.ts',
    'core/memory/experiences/import/otel.ts',
    'core/memory/experiences/import/swe-agent.ts',
  ],
  'what Loam wrote itself, or what comes with it': [
    'main/ground/derived-file.ts',
    'main/ground/lock.ts',
    'main/ground/record-file.ts',
    'main/ground/resources.ts',
    'main/ground/sealed.ts',
    'main/ground/small-heap.ts',
    'main/journal/build-log.ts',
    'main/journal/journal.ts',
    'main/journal/record.ts',
    'main/share/bundle/event-spool.ts',
    'main/share/proxy/rule-attempt.ts',
    'main/api/door.ts',
    'main/models/model-advice.ts',
    'main/soft-prompts/pending.ts',
    'main/model-files/registry.ts',
    'main/experiments/experiment-store.ts',
    'main/experiments/study-file.ts',
    'main/watchdog/thread.ts',
    'main/watchdog/watchdog.ts',
    'main/adapters/lancedb/core-file.ts',
    'main/adapters/ggml/library-files.ts',
    'main/adapters/ggml/fetched-libraries.ts',
    'main/adapters/isolate/serve-isolate.ts',
    'main/engine-client/load-marker.ts',
    'core/recall/policy.ts',
    'core/retrieval/static-encoder.ts',
    'core/memory/cases/saved.ts',
  ],
  'a short answer of a server (64 KiB: 15 ms at most); a longer one is read by the same functions in an isolate':
    ['main/ground/isolate/answers.ts', 'main/providers/openai/refusal.ts'],
  'what a model wrote: at most 1 MiB, for which each reader takes .2 s at most (test/security/replies.test.ts)':
    [
      'main/providers/openai/read-reply.ts',
      'main/providers/form-text.ts',
      'main/providers/generic-tools.ts',
      'main/share/proxy/judge.ts',
      'core/ground/cut-json.ts',
      'core/ground/nested.ts',
      'core/ground/writing.ts',
      'core/ground/replies/json-form.ts',
      'core/tasks/tool-use/grammar.ts',
      'core/agent/straight-replies.ts',
      'core/agent/probe/role-probe.ts',
      'core/verdict/message-reader.ts',
      'core/mysql/json-functions.ts',
    ],
  'runs in a tool server, a process of its own that can be ended': ['main/tool-servers/search/server.ts'],
  'a request at a door, of bounded size, behind a key': [
    'main/share/proxy/json-places.ts',
    'main/share/proxy/live-calls.ts',
    'main/share/proxy/openai-chat.ts',
    'main/share/proxy/dialects/dialect.ts',
    // And what an upstream says of a failure, of which it reads 64 KiB.
    'main/share/proxy/translate/passage.ts',
    'main/ground/json-body.ts',
    'main/api/kb-rest.ts',
    'main/api/transports.ts',
    'main/api/ui-server.ts',
  ],
  'what a person writes at a terminal, or a program that they run there': [
    'main/conform/provider-checks.ts',
    'main/cli/read-changes.ts',
    'main/share/connect/jsonc.ts',
    'main/cli/commands/experiment.ts',
    'main/cli/hook-event.ts',
    'main/cli/commands/import.ts',
    'main/cli/commands/own-tasks.ts',
    'main/cli/commands/proxy.ts',
    'core/tasks/qa/check.ts',
  ],
  'what names a module or library whose code a person lets run': [
    'main/modules/fetch-module.ts',
    'main/modules/manifest.ts',
    'main/tool-servers/code/libraries.ts',
  ],
  'runs inside a sandbox of its own': [
    'main/adapters/programs/node-prelude.ts',
    'main/adapters/sheets/sandbox.ts',
    // The check that it writes, not the file itself.
    'core/streams/promptfoo-checks.ts',
  ],
}

/** What the host may take of the rooms that read rows of tasks: they parse what Loam brings or makes itself, and write. */
export const ROWS_IN_HOST: Readonly<Record<string, readonly string[]>> = {
  // Streams that come with Loam, those that it makes from their names, and tasks of environments whose code a person lets run here.
  'core/streams/stream-library': ['main/streams/stream-library.ts', 'main/streams/read-stream.ts'],
  // Writes the lines of a stream.
  'core/streams/own-tasks': ['main/streams/own-tasks.ts'],
  // Plays attempts that were read apart.
  'core/streams/regrade': ['main/cli/commands/verify.ts'],
}
