import { join, resolve } from 'node:path'
import {
  forEachChild,
  isBindingElement,
  isFunctionDeclaration,
  isFunctionTypeNode,
  isIdentifier,
  isMethodSignature,
  isObjectBindingPattern,
  isParameter,
  isParameterPropertyDeclaration,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript'
import { expect, it } from 'vitest'
import { filesOf, parseSource, sourceOf } from './read-imports'

const sources = join(resolve(import.meta.dirname, '../..'), 'src')

/** Participles say what happened to a thing, not what it is (CONTRIBUTING.md, "Names"). */
const PARTICIPLES = new Set(
  (
    'found known given left said done chosen shown named kept made wanted asked held written gone failed ended changed seen recalled ' +
    'missing told opened taken begun loaded stored added waiting judged closed removed tried lost learned hidden counted measured heard ' +
    'expected fitted drawn pending moved taught checked used spent'
  ).split(' '),
)

/** A parameter of a type says what comes, and holds nothing. */
const isOfType = ({ parent }: Node): boolean => isFunctionTypeNode(parent) || isMethodSignature(parent)

/** Names of variables, parameters and functions that are participles. A field that is taken apart keeps the name of the field, and so does a parameter that is one. */
function participlesIn(source: SourceFile): string[] {
  const wrong: string[] = []
  const visit = (node: Node): void => {
    const isNamed =
      isVariableDeclaration(node) ||
      isFunctionDeclaration(node) ||
      (isParameter(node) && !isOfType(node) && !isParameterPropertyDeclaration(node, node.parent)) ||
      (isBindingElement(node) && !(isObjectBindingPattern(node.parent) && node.propertyName === undefined))
    if (isNamed && node.name && isIdentifier(node.name) && PARTICIPLES.has(node.name.text))
      wrong.push(node.name.text)
    forEachChild(node, visit)
  }
  visit(source)
  return wrong
}

it('of variables, parameters and functions are no participles', () => {
  const wrong = filesOf(sources).flatMap((file) =>
    participlesIn(sourceOf(join(sources, file))).map((name) => `${file}: ${name}`),
  )
  expect(wrong).toEqual([])
})

it('that are participles are seen where they are', () => {
  const names = (text: string) => participlesIn(parseSource('a.ts', text))
  expect(names('const found = 1, [told] = []; function kept(said: string, { named: given }) {}')).toEqual([
    ...['found', 'told', 'kept', 'said', 'given'],
  ])
  expect(names('const { found, n: list } = x; class A { constructor(readonly kept: string) {} }')).toEqual([])
  expect(names('for (const left of x) { const f = (gone) => gone }')).toEqual(['left', 'gone'])
})
