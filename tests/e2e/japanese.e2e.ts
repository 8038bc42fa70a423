import type { Page } from '@playwright/test'
import { paths } from '../../src/paths.ts'
import { inLanguage } from './member.ts'
import { expect, test } from './test.ts'

/** Lines of Japanese that are one letter and a stop, such as 「す。」, with the text before them. */
const loneKana = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const block of document.querySelectorAll('main p, main li')) {
      const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      const lines: { text: string; bottom: number }[] = []
      while (texts.nextNode()) {
        const node = texts.currentNode
        const text = node.textContent ?? ''
        for (let at = 0; at < text.length; at += 1) {
          const letter = text.charAt(at)
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const { top, bottom, width } = range.getBoundingClientRect()
          if (width === 0) continue
          const line = lines.at(-1)
          if (line === undefined || top > line.bottom - 4) lines.push({ text: letter, bottom })
          else line.text += letter
        }
      }
      if (lines.length > 1 && /^\p{L}。?$/u.test(lines.at(-1)?.text ?? ''))
        found.push(lines.map(({ text }) => text).join('|'))
    }
    return found
  })

test('a paragraph in Japanese has no lone kana on its last line, at any width of a phone', async ({
  page,
}) => {
  await inLanguage(page, 'ja')
  for (const path of [paths.about, paths.check]) {
    await page.goto(`/#${path}`)
    await expect(page.locator('main li').first()).toBeVisible()
    const found: string[] = []
    for (let width = 320; width <= 430; width += 10) {
      await page.setViewportSize({ width, height: 844 })
      found.push(...(await loneKana(page)))
    }
    expect(found).toEqual([])
  }
})
