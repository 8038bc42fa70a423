import type { Page } from '@playwright/test'
import pack from '../../locales/zh-CN.json' with { type: 'json' }

/** A key without a translation shows on the page as `area.name`. */
const rawKey = new RegExp(String.raw`\b(?:${Object.keys(pack).join('|')})\.[a-z]\w+(?:\.\w+)*\b`, 'gi')

/** Layout violations at this width: text cut off, overlapping lines, keys instead of text. */
export async function layoutViolations(page: Page): Promise<string[]> {
  return violationsIn(await page.evaluate(inspectPage))
}

type Inspected = { text: string; violations: string[] }

/** With the keys that a page shows in place of their texts. */
export const violationsIn = ({ text, violations }: Inspected): string[] => [
  ...violations,
  ...(text.match(rawKey) ?? []).map((key) => `raw key ${key}`),
]

/** Runs in the page. */
export function inspectPage(): Inspected {
  type Line = { in: Element; box: DOMRect }
  const named = (element: Element): string =>
    `<${element.localName}> “${(element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 60)}”`
  const isScreenReaderOnly = (element: Element): boolean => {
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
      if (getComputedStyle(outer).clipPath.startsWith('inset(50%')) return true
    }
    return false
  }
  const isClipped = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip'

  const isScrollable = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll'

  /** The part of a line that is not scrolled out of sight. */
  const inScroller = (element: Element, box: DOMRect): DOMRect => {
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer)
      if (!isScrollable(overflowX) && !isScrollable(overflowY)) continue
      const edge = outer.getBoundingClientRect()
      const middle = box.top + box.height / 2
      if (middle < edge.top || middle > edge.bottom) return new DOMRect()
      const left = Math.max(box.left, edge.left)
      return new DOMRect(left, box.top, Math.min(box.right, edge.right) - left, box.height)
    }
    return box
  }

  /** Bars, sheets and toasts cover what scrolls under them. */
  const isLayer = (element: Element): boolean => {
    const { position, zIndex } = getComputedStyle(element)
    return position === 'fixed' || position === 'sticky' || (position === 'absolute' && zIndex !== 'auto')
  }
  /** Not so the browser's own select, drawn by what is below it. */
  const isOpaque = (element: Element): boolean => {
    const { backgroundColor, opacity } = getComputedStyle(element)
    return opacity !== '0' && !/^transparent$|, 0\)$|\/ 0\)$/.test(backgroundColor)
  }

  /** What covers a point of an element: a layer, which is intended, or another element by mistake. */
  const coverAt = (element: Element, x: number, y: number): 'none' | 'layer' | 'defect' => {
    const isOwn = (other: Element): boolean => element.contains(other) || other.contains(element)
    const first = document.elementFromPoint(x, y)
    if (first === null || isOwn(first)) return 'none'
    for (const top of document.elementsFromPoint(x, y)) {
      if (isOwn(top)) return 'none'
      for (let outer: Element | null = top; outer && !outer.contains(element); outer = outer.parentElement) {
        if (isLayer(outer)) return 'layer'
      }
      if (isOpaque(top)) return 'defect'
    }
    return 'none'
  }

  const isInView = (box: DOMRect): boolean => {
    const middle = box.top + box.height / 2
    return box.width > 0 && middle >= 0 && middle <= innerHeight
  }

  /** Without a Thai font each mark over a letter is a separate box, and widths are meaningless. */
  const canvas = document.createElement('canvas').getContext('2d')
  const drawsThai = canvas?.measureText('กั').width === canvas?.measureText('ก').width

  /** Every drawn line of text in view, except what is under a layer or drawn for screen readers alone. */
  const visibleLines = (): Line[] => {
    const lines: Line[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const element = node.parentElement
      if (element === null || node.textContent?.trim() === '') continue
      if (/[\u0e00-\u0e7f]/.test(node.textContent ?? '') && !drawsThai) continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (element.closest('[aria-hidden="true"]') !== null || isScreenReaderOnly(element)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const whole of range.getClientRects()) {
        const box = inScroller(element, whole)
        if (!isInView(box)) continue
        const heights = [box.top + 1, box.top + box.height / 2, box.bottom - 1]
        if (heights.every((y) => coverAt(element, box.left + box.width / 2, y) !== 'layer'))
          lines.push({ in: element, box })
      }
    }
    return lines
  }

  /** Text covered by something that is not a layer. */
  const covered = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ in: element, box }) => {
      const points = [box.left + 1, box.right - 1]
      return points.some((x) => coverAt(element, x, box.top + box.height / 2) === 'defect')
        ? [`covered: ${named(element)}`]
        : []
    })

  /** An iPhone zooms in when a field with a smaller font gets the focus, and stays zoomed. */
  const smallFields = (): string[] =>
    [...document.querySelectorAll('input, select, textarea')]
      .filter((field) => !['checkbox', 'radio', 'file', 'hidden'].includes(field.getAttribute('type') ?? ''))
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
      .map(
        (field) =>
          `font size below 16 px: <${field.localName}> ${field.getAttribute('aria-label') ?? field.id}`,
      )

  const tooWide = (): string[] => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : []
  }

  /** Text that its box cuts off; clamped text is intended, because its own page shows all of it. */
  const cut = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ in: element, box }) => {
      for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
        const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(outer)
        if (webkitLineClamp !== 'none') return []
        const edge = outer.getBoundingClientRect()
        if (isClipped(overflowX) && (box.right > edge.right + 1 || box.left < edge.left - 1))
          return [`cut at the side: ${named(element)}`]
        if (isClipped(overflowY) && (box.bottom > edge.bottom + 4 || box.top < edge.top - 4))
          return [`cut above or below: ${named(element)}`]
        if (isScrollable(overflowX)) return []
      }
      return box.right > innerWidth + 1 || box.left < -1 ? [`beyond the edge: ${named(element)}`] : []
    })

  const layerOf = (element: Element): Element | null => {
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement)
      if (isLayer(outer)) return outer
    return null
  }

  /** Lines of the same layer: a toast may cover the side of a line below it. */
  const overlapping = (lines: readonly Line[]): string[] =>
    lines.flatMap((a, i) =>
      lines.slice(i + 1).flatMap((b) => {
        const overlapWidth = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
        const overlapHeight = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
        const overlaps = overlapWidth > 2 && overlapHeight > Math.min(a.box.height, b.box.height) / 2
        return overlaps && a.in !== b.in && layerOf(a.in) === layerOf(b.in)
          ? [`overlapping: ${named(a.in)} and ${named(b.in)}`]
          : []
      }),
    )

  /** Text that exceeds its own control. */
  const outside = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ in: element, box }) => {
      const control = element.closest('button, a, [role="tab"], label')
      if (control === null || getComputedStyle(control).display === 'inline') return []
      const edge = control.getBoundingClientRect()
      return box.right > edge.right + 1 || box.left < edge.left - 1
        ? [`exceeds its control: ${named(element)}`]
        : []
    })

  const { scrollX, scrollY } = window
  const violations = new Set([...tooWide(), ...smallFields()])
  // Scrolls by half screens, so that what is under a bar at one position is visible at another.
  for (
    let top = 0;
    top === 0 || top < document.documentElement.scrollHeight - innerHeight / 2;
    top += innerHeight / 2
  ) {
    window.scrollTo(0, top)
    const lines = visibleLines()
    for (const violation of [...cut(lines), ...covered(lines), ...overlapping(lines), ...outside(lines)])
      violations.add(violation)
  }
  window.scrollTo(scrollX, scrollY)
  return { text: document.body.innerText, violations: [...violations] }
}
