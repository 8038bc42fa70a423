import type { Download } from '@playwright/test'

/** The text of a saved file. */
export async function textOf(saved: Download): Promise<string> {
  let text = ''
  for await (const chunk of await saved.createReadStream()) text += String(chunk)
  return text
}
