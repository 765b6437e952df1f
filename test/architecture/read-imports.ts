import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  createSourceFile,
  forEachChild,
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isStringLiteralLike,
  ScriptTarget,
  SyntaxKind,
  type Node,
  type SourceFile,
} from 'typescript'

export interface Import {
  /** Path of the importing file, relative to src, with slashes. */
  readonly file: string
  /** What it names, as written. */
  readonly specifier: string
  /** For a relative import: the path it leads to, relative to src, as written: without the file's extension. */
  readonly target: string | null
  /** For a package: its name. */
  readonly module: string | null
}

const slashes = (path: string): string => path.split(sep).join('/')

/** Every TypeScript file of a folder, relative to it, with slashes. */
export const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx)$/.test(path))
    .map(slashes)

/** Every import of every file of `sources`: static, dynamic and type-only ones, re-exports and require calls. */
export const importsIn = (sources: string): Import[] =>
  filesOf(sources).flatMap((file) => {
    const path = join(sources, file)
    return specifiersOf(path).map((specifier): Import => {
      const bare = specifier.replace(/\?.*$/, '')
      if (bare.startsWith('.')) {
        const target = slashes(relative(sources, resolve(dirname(path), bare)))
        return { file, specifier, target, module: null }
      }
      const parts = bare.split('/')
      const module = bare.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? bare)
      return { file, specifier, target: null, module }
    })
  })

/** A text as the compiler reads it. */
export const parseSource = (path: string, text: string): SourceFile =>
  createSourceFile(path, text, ScriptTarget.Latest, true)

/** A file as the compiler reads it. */
export const sourceOf = (path: string): SourceFile => parseSource(path, readFileSync(path, 'utf8'))

function specifiersOf(path: string): string[] {
  const source = sourceOf(path)
  const found: string[] = []
  const visit = (node: Node): void => {
    if ((isImportDeclaration(node) || isExportDeclaration(node)) && node.moduleSpecifier) {
      if (isStringLiteralLike(node.moduleSpecifier)) found.push(node.moduleSpecifier.text)
    }
    if (
      isImportTypeNode(node) &&
      isLiteralTypeNode(node.argument) &&
      isStringLiteralLike(node.argument.literal)
    ) {
      found.push(node.argument.literal.text)
    }
    if (isCallExpression(node)) {
      const callee = node.expression.getText(source)
      const argument = node.arguments[0]
      const imports =
        node.expression.kind === SyntaxKind.ImportKeyword || /^require(\.resolve)?$/.test(callee)
      if (imports && argument && isStringLiteralLike(argument)) found.push(argument.text)
    }
    forEachChild(node, visit)
  }
  visit(source)
  return found
}
