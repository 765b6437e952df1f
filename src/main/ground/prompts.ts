import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inScope } from '../../core/ground/prompt'
import { withRounds } from '../../core/ground/replies/reply-environment'
import type { Method } from '../../core/ground/method'
import type { PromptTemplates } from '../../core/ground/ports'
import { LoamError } from '../../shared/errors'
import { broughtFolders } from './module-folders'
import { namesIn } from './names-in'

export interface LoadedPrompts extends PromptTemplates {
  /** SHA-256 of the templates of one method (`<method>-*.md`), names included. */
  hashOf(method: string): string
  /**
   * SHA-256 of one template's text, as it reads where all attempts play in one place; null when there is none by that id. Models carry it
   * for the templates that they were trained on.
   */
  sha256(id: string): string | null
}

/**
 * Refuses what would fail in mid-run: a method in an environment that has not every template the method can ask for there.
 * @throws LoamError `NOT_FOUND` naming the templates that are missing
 */
export function requireTemplates(
  { info, prompts }: Pick<Method, 'info' | 'prompts'>,
  environment: string,
  resource: Pick<LoadedPrompts, 'sha256'>,
): void {
  const gaps = (prompts?.(environment) ?? []).filter((id) => resource.sha256(id) === null)
  if (gaps.length === 0) return
  const [first = '', ...others] = gaps
  const names =
    others.length === 0
      ? `a prompt template that is missing: ${first}`
      : `prompt templates that are missing: ${gaps.join(', ')}`
  throw new LoamError('NOT_FOUND', `${info.title} (${info.id}) needs ${names}.`, {
    suggestion: 'Choose another method for these tasks, or add the text to resources/prompts.',
  })
}

/** The text of a versioned prompt template, without its front matter. */
export const withoutFrontMatter = (text: string): string =>
  text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trim()

const missingTemplate = (id: string, underlying?: unknown) =>
  new LoamError('NOT_FOUND', `There is no prompt template "${id}".`, {
    suggestion: 'Choose another method for this environment, or add the template to resources/prompts.',
    underlying,
  })

const withBrought = (folder: string): string[] => [folder, ...broughtFolders('prompts')]

/** One template's text, of Loam or of a module in use. @throws LoamError `NOT_FOUND` when there is none by that id */
export async function readTemplate(folder: string, id: string): Promise<string> {
  let reason: unknown
  for (const one of withBrought(folder))
    try {
      return withoutFrontMatter(await readFile(join(one, `${id}.md`), 'utf8'))
    } catch (error) {
      reason ??= error
    }
  throw missingTemplate(id, reason)
}

/** Reads all templates (`<id>.md`) of a folder, and of the modules in use. */
export async function loadPrompts(folder: string): Promise<LoadedPrompts> {
  const texts = new Map<string, string>()
  for (const one of withBrought(folder)) {
    const names = one === folder ? await readdir(one) : await namesIn(one)
    for (const file of names.filter((name) => name.endsWith('.md')).sort()) {
      const id = file.slice(0, -'.md'.length)
      // A module adds templates and changes none.
      if (!texts.has(id)) texts.set(id, withoutFrontMatter(await readFile(join(one, file), 'utf8')))
    }
  }
  return {
    hashOf(method) {
      const hash = createHash('sha256')
      for (const [id, text] of texts) if (id.startsWith(`${method}-`)) hash.update(`${id}\n${text}\n`)
      return hash.digest('hex')
    },
    sha256(id) {
      const text = texts.get(id)
      return text === undefined
        ? null
        : createHash('sha256')
            .update(withRounds(inScope(text, []), null))
            .digest('hex')
    },
    text(id) {
      const text = texts.get(id)
      if (text !== undefined) return text
      throw missingTemplate(id)
    },
  }
}
