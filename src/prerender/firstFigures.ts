import type { Language } from '../../contract/constants.ts'
import { createNumberFormat, hiddenAmount, noValue } from '../formatNumber.ts'
import { paths } from '../paths.ts'
import { readJson } from '../state/storage.ts'

/** What a frame shows before the app runs: texts by name. */
export type FirstFigures = Partial<Record<'total' | 'productCode' | 'lastPrice', string>>

type Answer = Readonly<Record<string, unknown>>
type Numbers = ReturnType<typeof createNumberFormat>

const areAmountsHidden = (): boolean =>
  (readJson('preferences') as Answer | undefined)?.['amountsHidden'] === true

const readers: Readonly<Record<string, (answer: Answer, numbers: Numbers) => FirstFigures>> = {
  [paths.home]: ({ total }, { money }) =>
    typeof total === 'string' ? { total: areAmountsHidden() ? hiddenAmount : money(total) } : {},
  [paths.product]: ({ code, last }, { decimal }) =>
    typeof code === 'string' && typeof last === 'string'
      ? { productCode: code, lastPrice: Number(last) === 0 ? noValue : decimal(last) }
      : {},
}

/** Writes what the answer contains into the frame of the page of this path. */
export function showFirstFigures(path: string, language: Language, answer: Answer): void {
  const figures = readers[path]?.(answer, createNumberFormat(language, language)) ?? {}
  for (const [name, text] of Object.entries(figures))
    for (const place of document.querySelectorAll<HTMLElement>(`[data-first='${name}']`))
      showText(place, text)
}

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
