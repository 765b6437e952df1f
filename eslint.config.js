import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

const NATIVES =
  '^(node-llama-cpp|@lancedb/.*|@huggingface/transformers|apache-arrow|onnxruntime.*|koffi|sql\\.js|pyodide|quickjs-emscripten|just-bash)($|/)'
const NODE = '^(node:|fs|path|os|crypto|child_process|worker_threads|url|util|stream|http|net)($|/)'
const SERVERS = '^(@orpc/server|hono|@hono/.*|ws)($|/)'

/** Forbids imports by place: `layers` are folders of src that this layer must not reach. */
const imports = (layers, modules) => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        ...layers.map((layer) => ({
          regex: `^\\.{1,2}/(.*/)?${layer}(/|$)`,
          message: `This layer may not import ${layer} (docs/ARCHITECTURE.md).`,
        })),
        ...modules.map((regex) => ({
          regex,
          message: 'This module is not allowed in this layer (docs/ARCHITECTURE.md).',
        })),
      ],
    },
  ],
})

/** Participles say what happened to a thing, not what it is (docs/CONTRIBUTING.md, "Names"). */
const PARTICIPLES =
  '^(found|known|given|left|said|done|chosen|shown|named|kept|made|wanted|asked|held|written|gone|failed|ended|changed|seen|recalled|missing|told|opened|taken|begun|loaded|stored|added|waiting|judged|closed|removed|tried|lost|learned|hidden|counted|measured|heard|expected|fitted|drawn|pending|moved|taught|checked|used|spent)$'
const noParticiple = { format: null, custom: { regex: PARTICIPLES, match: false } }

export default tseslint.config(
  {
    ignores: [
      'out/',
      '**/dist/',
      'node_modules/',
      'test-results/',
      'playwright-report/',
      '.cache/',
      'models/training/work/',
      // What a build writes for a moment while it reads its settings.
      '*.config.ts.*.mjs',
    ],
  },
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: globals.node },
  },
  {
    // Repositories that tasks are about: as they are.
    files: ['resources/streams/**'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      // Longer ones are named where they stand, each with its reason (eslint-disable-next-line).
      'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
      ],
    },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    // A suite is a list of tests, not a function that is read as one.
    files: ['test/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.config.{ts,js}'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['src/main/cli/**', 'scripts/**', 'test/bench/**', 'models/training/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: ['variable', 'parameter', 'function'], ...noParticiple },
        // A field that is taken apart keeps the name of the field.
        { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
        { selector: 'parameterProperty', format: null },
      ],
    },
  },
  {
    files: ['src/shared/**'],
    rules: imports(['core', 'main', 'preload', 'renderer'], [NATIVES, NODE, SERVERS, '^electron($|/)']),
  },
  {
    files: ['src/core/**'],
    rules: imports(['main', 'preload', 'renderer'], [NATIVES, NODE, SERVERS, '^electron($|/)', '^@orpc/']),
  },
  {
    files: ['src/main/**'],
    ignores: ['src/main/adapters/**', 'src/main/engine/**', 'src/main/index.ts', 'src/main/desktop/**'],
    rules: imports(['preload', 'renderer'], [NATIVES, '^electron($|/)']),
  },
  {
    files: ['src/main/adapters/**', 'src/main/engine/**'],
    rules: imports(['preload', 'renderer'], ['^electron($|/)']),
  },
  {
    files: ['src/main/index.ts', 'src/main/desktop/**'],
    rules: imports(['preload', 'renderer'], [NATIVES]),
  },
  {
    files: ['src/preload/**'],
    rules: imports(['core', 'main', 'renderer'], [NATIVES, NODE, SERVERS]),
  },
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      ...imports(['core', 'main', 'preload'], [NATIVES, NODE, SERVERS, '^electron($|/)']),
    },
  },
)
