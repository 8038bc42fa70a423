import type { Language } from '../../contract/constants.ts'
import { sparklinePaths } from '../chart/sparkline.ts'
import { createNumberFormat, hiddenAmount } from '../text/formatNumber.ts'
import { paths } from '../paths.ts'
import { storedField } from '../state/storage.ts'

/** What a skeleton shows before the app runs: texts by name. */
export type FirstFigures = Partial<Record<'total' | 'productCode' | 'lastPrice', string>>

type Answer = Readonly<Record<string, unknown>>
type Numbers = ReturnType<typeof createNumberFormat>

const readers: Readonly<Record<string, (answer: Answer, numbers: Numbers) => FirstFigures>> = {
  [paths.home]: ({ total }, { money }) =>
    typeof total === 'string'
      ? { total: storedField('preferences', 'amountsHidden') === true ? hiddenAmount : money(total) }
      : {},
  [paths.product]: ({ code, last }, { price }) =>
    typeof code === 'string' && typeof last === 'string' ? { productCode: code, lastPrice: price(last) } : {},
}

/** Writes what the answer contains into the prerendered skeleton of the page of this path. */
export function showFirstFigures(path: string, language: Language, answer: Answer): void {
  const figures = readers[path]?.(answer, createNumberFormat(language, language)) ?? {}
  for (const [name, text] of Object.entries(figures))
    for (const place of document.querySelectorAll<HTMLElement>(`[data-prerendered] [data-first='${name}']`))
      showText(place, text)
  if (path === paths.product) showDayLine(answer)
}

/** Draws the product's day where its chart will be. */
function showDayLine({ spark }: Answer): void {
  if (!isNumbers(spark) || spark.length === 0) return
  const { line, base } = sparklinePaths(spark)
  for (const place of document.querySelectorAll<HTMLElement>('[data-prerendered] [data-day-line]')) {
    const [basePath, linePath] = place.querySelectorAll('path')
    basePath?.setAttribute('d', base)
    linePath?.setAttribute('d', line)
    place.hidden = false
  }
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'number')

function showText(place: HTMLElement, text: string): void {
  const [placeholder, figure] = place.children
  const target = figure?.querySelector('[data-text]')
  if (!(figure instanceof HTMLElement) || !target) return
  placeholder?.remove()
  figure.hidden = false
  // Stat.module.css fits a figure's size to its number of letters.
  figure.style.setProperty('--letters', String(text.length))
  target.textContent = text
}
