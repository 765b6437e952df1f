import type { Import } from './read-imports'

/** From one file of the tree to another. */
export interface Arrow {
  readonly from: string
  readonly to: string
}

/** Imports that lead to a file of `files`, with its extension; styles and the like are left out. */
export function arrowsOf(imports: readonly Import[], files: readonly string[]): Arrow[] {
  const known = new Set(files)
  return imports.flatMap(({ file, target }) => {
    if (target === null) return []
    const to = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((path) => known.has(path))
    return to === undefined ? [] : [{ from: file, to }]
  })
}

/** The room of `folder` that a file is in: a folder or a file directly inside; null for files elsewhere. */
export function roomIn(folder: string, file: string): string | null {
  if (!file.startsWith(`${folder}/`)) return null
  return file.slice(folder.length + 1).split('/')[0] ?? null
}

/** Arrows between different rooms of a folder, by `room -> room`, with the files that draw each. */
export function roomArrows(folder: string, arrows: readonly Arrow[]): Map<string, Arrow[]> {
  const found = new Map<string, Arrow[]>()
  for (const arrow of arrows) {
    const from = roomIn(folder, arrow.from)
    const to = roomIn(folder, arrow.to)
    if (from === null || to === null || from === to) continue
    const key = `${from} -> ${to}`
    found.set(key, [...(found.get(key) ?? []), arrow])
  }
  return found
}

/** Share of a layer's lines that each of its rooms has, in (0, 1]; in a folder of `containers` every entry is a room. */
export function sharesOf(
  layer: string,
  containers: readonly string[],
  files: readonly string[],
  linesOf: (file: string) => number,
): Map<string, number> {
  const lines = new Map<string, number>()
  for (const file of files) {
    const room = roomIn(layer, file)
    if (room === null) continue
    const inner = containers.includes(`${layer}/${room}`) ? roomIn(`${layer}/${room}`, file) : null
    const name = inner === null ? room : `${room}/${inner}`
    lines.set(name, (lines.get(name) ?? 0) + linesOf(file))
  }
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0)
  return new Map([...lines].map(([room, count]) => [room, count / all]))
}

/** Groups of nodes that all reach one another (Tarjan's strongly connected components of two nodes or more), each sorted. */
export function circlesOf(arrows: readonly Arrow[]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (node: string): void => {
    const own = index.size
    index.set(node, own)
    low.set(node, own)
    stack.push(node)
    for (const to of next.get(node) ?? []) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(node, Math.min(low.get(node) ?? own, low.get(to) ?? own))
    }
    if (low.get(node) !== own) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const node of next.keys()) if (!index.has(node)) visit(node)
  return circles
}
