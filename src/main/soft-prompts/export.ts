import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { replaceFile } from '../ground/atomic-file'
import { infoPathOf, type SoftPromptFile } from './soft-prompt-file'

/**
 * Writes a soft prompt into a folder so that it is of use without Loam: adapter, description, and a README that shows how
 * llama.cpp's own programs serve it. Answers the folder's files.
 */
export async function exportSoftPrompt(file: SoftPromptFile, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const adapter = join(folder, basename(file.adapter))
  await copyFile(file.adapter, adapter)
  await copyFile(infoPathOf(file.adapter), infoPathOf(adapter))
  const readme = join(folder, 'README.md')
  await replaceFile(readme, async (handle) => {
    await handle.writeFile(readmeFor(file))
  })
  return [adapter, infoPathOf(adapter), readme]
}

/** The README's text. */
function readmeFor(file: SoftPromptFile): string {
  const { adapter, info } = file
  const name = basename(adapter)
  const { baseModel, outcome } = info
  const ids = info.reservedIds.join(', ')
  const holding =
    outcome.heldOutLoss === null
      ? ''
      : `On attempts it never learned from it fell from ${outcome.initialHeldOutLoss?.toFixed(3)} to ${outcome.heldOutLoss.toFixed(3)}. `
  return `# A soft prompt for ${baseModel.name}

${name} gives ${info.reservedIds.length} reserved tokens of the model learned embeddings. A prompt that begins with these
tokens behaves as if ${info.teacher} solved tasks of "${info.environment ?? 'its environment'}" stood in it. Prompts without them are not changed at all.

It fits one file only: ${baseModel.name}, ${baseModel.sizeBytes} bytes, sha256
\`${baseModel.sha256}\`

Loss per token fell from ${outcome.initialLoss.toFixed(3)} to ${outcome.finalLoss.toFixed(3)} in ${outcome.steps} steps. ${holding}It was trained with
${info.student} solved tasks in the student's prompt; show it about as many.

## With llama.cpp's server

The adapter is an ordinary LoRA file:

\`\`\`
llama-server -m ${baseModel.name}.gguf --lora ${name}
\`\`\`

The tokens have to be given by id, since their text is not read as them. A prompt may mix ids and text:

\`\`\`
curl http://localhost:8080/completion -d '{
  "prompt": [${ids}, "your prompt, in the model's chat template"],
  "temperature": 0
}'
\`\`\`

When the model begins its prompts with a BOS token, put the BOS id before these ids. POST /apply-template turns messages
into the text of the model's chat template.

## With llama.cpp's CLI

${cliPart(file)}

## With Loam

\`\`\`
loam run --stream S --method none --model ${baseModel.name}.gguf --soft-prompt ${name}
\`\`\`
`
}

function cliPart({ adapter, info }: SoftPromptFile): string {
  if (info.reservedTokens === null)
    return 'llama-cli reads text only, and no text names these tokens. Use the server.'
  const text = info.reservedTokens.join('')
  return `llama-cli reads text only; these tokens have names, so a prompt can begin with them:

\`\`\`
llama-cli -m ${info.baseModel.name}.gguf --lora ${basename(adapter)} -no-cnv -p '${text}your prompt'
\`\`\``
}
