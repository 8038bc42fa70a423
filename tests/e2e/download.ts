import type { Download } from '@playwright/test'

/** What a saved file holds. */
export async function textOf(saved: Download): Promise<string> {
  let text = ''
  for await (const chunk of await saved.createReadStream()) text += String(chunk)
  return text
}
