import { expect, type Page } from '@playwright/test'

/** Chooses the model `name` at the server `url` beside the composer, and waits until it is the one that answers and has the keyboard. */
export async function useServedModel(page: Page, name: string, url: string): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('menuitemradio', { name: /^At a server…/ }).click()
  const field = page.getByRole('textbox', { name: 'Model at a server' })
  await expect(field).toBeFocused()
  await field.fill(`${name}@${url}`)
  await field.press('Enter')
  await expect(page.getByRole('button', { name: new RegExp(`^Model: ${name}, at `) })).toBeFocused()
}
