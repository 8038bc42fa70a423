import type { Page } from '@playwright/test'
import pack from '../../locales/zh-CN.json' with { type: 'json' }

/** A key that no pack had stands on the page as `area.name`. */
const rawKey = new RegExp(String.raw`\b(?:${Object.keys(pack).join('|')})\.[a-z]\w+(?:\.\w+)*\b`, 'gi')

/** What a reader at this width would miss: text cut off, lines over each other, keys in place of words. */
export async function faultsOf(page: Page): Promise<string[]> {
  const { text, faults } = await page.evaluate(lookAround)
  return [...faults, ...(text.match(rawKey) ?? []).map((key) => `raw key ${key}`)]
}

/** Runs in the page. */
function lookAround(): { text: string; faults: string[] } {
  type Line = { in: Element; box: DOMRect }
  const named = (element: Element): string =>
    `<${element.localName}> “${(element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 60)}”`
  const spokenOnly = (element: Element): boolean => {
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
      if (getComputedStyle(outer).clipPath.startsWith('inset(50%')) return true
    }
    return false
  }
  const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip'

  /** The part of a line that is not scrolled out of sight sideways. */
  const inScroller = (element: Element, box: DOMRect): DOMRect => {
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
      const { overflowX } = getComputedStyle(outer)
      if (overflowX !== 'auto' && overflowX !== 'scroll') continue
      const edge = outer.getBoundingClientRect()
      const left = Math.max(box.left, edge.left)
      return new DOMRect(left, box.top, Math.min(box.right, edge.right) - left, box.height)
    }
    return box
  }

  /** Every drawn line of text, but what is under a bar, scrolled away or drawn for screen readers alone. */
  const seen = (): Line[] => {
    const found: Line[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const element = node.parentElement
      if (element === null || node.textContent?.trim() === '') continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (element.closest('[aria-hidden="true"]') !== null || spokenOnly(element)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const box of range.getClientRects()) {
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        if (top !== null && (element.contains(top) || top.contains(element)))
          found.push({ in: element, box: inScroller(element, box) })
      }
    }
    return found
  }

  const tooWide = (): string[] => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : []
  }

  /** Text that its box hides the end of; a clamped text (its page has it whole) is meant. */
  const cut = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ in: element, box }) => {
      for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
        const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(outer)
        if (webkitLineClamp !== 'none') return []
        const edge = outer.getBoundingClientRect()
        if (hides(overflowX) && (box.right > edge.right + 1 || box.left < edge.left - 1))
          return [`cut at the side: ${named(element)}`]
        if (hides(overflowY) && (box.bottom > edge.bottom + 4 || box.top < edge.top - 4))
          return [`cut above or below: ${named(element)}`]
        if (overflowX === 'auto' || overflowX === 'scroll') return []
      }
      return box.right > innerWidth + 1 || box.left < -1 ? [`beyond the edge: ${named(element)}`] : []
    })

  const overlapping = (lines: readonly Line[]): string[] =>
    lines.flatMap((a, i) =>
      lines.slice(i + 1).flatMap((b) => {
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
        const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
        return a.in !== b.in && wide > 2 && high > Math.min(a.box.height, b.box.height) / 2
          ? [`over each other: ${named(a.in)} and ${named(b.in)}`]
          : []
      }),
    )

  /** Words that stand out of their own control. */
  const outside = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ in: element, box }) => {
      const control = element.closest('button, a, [role="radio"], [role="tab"], label')
      if (control === null || getComputedStyle(control).display === 'inline') return []
      const edge = control.getBoundingClientRect()
      return box.right > edge.right + 1 || box.left < edge.left - 1
        ? [`stands out of its control: ${named(element)}`]
        : []
    })

  const lines = seen()
  return {
    text: document.body.innerText,
    faults: [...new Set([...tooWide(), ...cut(lines), ...overlapping(lines), ...outside(lines)])],
  }
}
