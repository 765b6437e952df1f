/** What is known after llama.cpp was started and found itself on the CPU. */
export interface GpuAbsence {
  /** Kinds of GPU this machine says it has, such as `cuda`. */
  readonly present: readonly string[]
  /** What was said while it was started, line by line. */
  readonly said: readonly string[]
  readonly platform: NodeJS.Platform
}

const NAMES: Readonly<Record<string, string>> = { cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' }
const nameOf = (kind: string): string => NAMES[kind] ?? kind

/** Why the model works on the CPU although a GPU was asked for where there is one, in words for a person. */
export function explainGpuAbsence({ present, said, platform }: GpuAbsence): string {
  if (present.length === 0) return 'No GPU that llama.cpp can use was found, so it works on the CPU.'
  const names = present.map(nameOf).join(' and ')
  const reason = reasonIn(said)
  const advice =
    platform === 'win32'
      ? ' Updating the graphics driver and the Visual C++ runtime often helps; then start Loam again.'
      : ' Updating the graphics driver often helps; then start Loam again.'
  return `This machine has ${names}, but llama.cpp could not use it${reason === null ? '' : ` (${reason})`}, so it works on the CPU.${advice}`
}

/** The line that says what failed, without what stands before every line and the words for a fallback. */
function reasonIn(messages: readonly string[]): string | null {
  const line =
    messages.find((text) => /failed to load|not compatible|timed out|error/i.test(text)) ?? messages.at(-1)
  if (line === undefined) return null
  const plain = line
    .replace(/\[node-llama-cpp\]\s*/g, '')
    .replace(/,? falling back to using no GPU\.?/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? null : plain.slice(0, 240)
}
