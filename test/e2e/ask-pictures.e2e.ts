import type { GenerateRequest, LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

/** A square of 64 red points each way. */
const drawSquare = (): Promise<string> =>
  Promise.resolve().then(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 64
    canvas.height = 64
    const context = canvas.getContext('2d')
    if (!context) throw new Error('Nothing can be drawn.')
    context.fillStyle = '#c0392b'
    context.fillRect(0, 0, 64, 64)
    return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length)
  })

test('a picture is seen beside what is written and said, and goes to a model that sees', async ({ app }) => {
  const { page } = app
  const requests: GenerateRequest[] = []
  const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
  const seer: LanguageModel = {
    name: 'seer',
    path: 'seer',
    contextSize: 8192,
    can: { tools: true, constraint: 'grammar', thinking: false, softPrompts: false, images: true },
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    generate(request, { onToken } = {}) {
      requests.push(request)
      onToken?.('A red square.')
      return Promise.resolve({ text: 'A red square.', usage, finish: 'end' })
    },
  }
  const server = await startModelServer('seer', seer)
  try {
    await useServedModel(page, 'seer', server.url)
    const base64 = await page.evaluate(drawSquare)
    await page.getByLabel('Files for the task').setInputFiles([
      { name: 'square.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') },
      { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('It hangs in the hall.') },
    ])
    const redOf = (place: string) =>
      page
        .locator(`${place} canvas`)
        .evaluate(
          (canvas) =>
            canvas instanceof HTMLCanvasElement &&
            canvas.getContext('2d')?.getImageData(40, 40, 1, 1).data[0],
        )
    await expect.poll(() => redOf('[aria-label="Files"]')).toBe(0xc0)
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('What is in the picture?')
    const note = page.getByText('Loam cannot show pictures to a model file yet.')
    await expect(note).toHaveCount(0)
    await shoot(page, 'picture-draft')
    await page.keyboard.press('Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('A red square.')
    await expect.poll(() => redOf('[aria-label="Files that were given"]')).toBe(0xc0)
    const [first] = requests
    expect(first?.messages.findLast(({ role }) => role === 'user')).toMatchObject({
      images: [{ type: 'image/png', data: base64 }],
    })
    await shoot(page, 'picture-ask')
    expect(await violations(page, 'picture')).toEqual([])
    await open.getByRole('button', { name: /^square\.png/ }).click()
    await expect(page.getByRole('dialog', { name: 'square.png' }).getByRole('img')).toBeVisible()
  } finally {
    await server.close()
  }
})

test(
  'where a model file is to answer, the box says that it is shown no pictures, and so does the answer',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = app
    await page.getByRole('button', { name: /^Model:/ }).click()
    await page.getByRole('menuitemradio', { name: /^Loam demo/ }).click()
    const base64 = await page.evaluate(drawSquare)
    await page
      .getByLabel('Files for the task')
      .setInputFiles({ name: 'square.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') })
    await expect(page.getByText('Loam cannot show pictures to a model file yet.')).toBeVisible()
    await shoot(page, 'picture-model-file')
    expect(await violations(page, 'picture for a model file')).toEqual([])
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    await task.fill('What is in the picture?')
    await task.press('Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open).toContainText('square.png not shown, since this model takes no pictures.', {
      timeout: 120_000,
    })
  },
)
