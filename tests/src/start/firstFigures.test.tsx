// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Language } from '../../../contract/constants.ts'
import { paths } from '../../../src/paths.ts'
import { showFirstFigures, type FirstFigures } from '../../../src/start/firstFigures.ts'
import { FirstFigure } from '../../../src/start/FirstFigure.tsx'

const names = ['total', 'productCode', 'lastPrice'] as const satisfies readonly (keyof FirstFigures)[]

const frame = renderToStaticMarkup(
  <main data-prerendered="home">
    {names.map((name) => (
      <p key={name}>
        <FirstFigure name={name} placeholder={<i>loading</i>}>
          {(text) => <b>{text}</b>}
        </FirstFigure>
      </p>
    ))}
  </main>,
)

beforeEach(() => void (document.body.innerHTML = frame))
afterEach(() => localStorage.clear())

/** What is visible of each figure's place. */
function shown(): Record<string, string> {
  const places = [...document.querySelectorAll<HTMLElement>('[data-first]')]
  const visible = (place: HTMLElement): string =>
    [...place.children]
      .filter((child) => !child.hasAttribute('hidden'))
      .map((child) => child.textContent)
      .join()
  return Object.fromEntries(places.map((place) => [place.dataset['first'], visible(place)]))
}

const nothing = { total: 'loading', productCode: 'loading', lastPrice: 'loading' }

it.each<[string, string, Language, Record<string, unknown>, FirstFigures]>([
  ['the total', paths.home, 'en', { total: '18214.65' }, { total: '18,214.65' }],
  ['a total in German', paths.home, 'de', { total: '-0.50' }, { total: '−0,50' }],
  [
    'a product’s price',
    paths.product,
    'en',
    { code: 'BTC/USDT', last: '43113.50' },
    { productCode: 'BTC/USDT', lastPrice: '43,113.50' },
  ],
  [
    'a product without a price',
    paths.product,
    'en',
    { code: 'NEW/USD', last: '0.00000' },
    { productCode: 'NEW/USD', lastPrice: '—' },
  ],
  [
    'markup as text',
    paths.product,
    'en',
    { code: '<b>x</b>', last: '1.0' },
    { productCode: '<b>x</b>', lastPrice: '1.0' },
  ],
  ['an answer of another shape', paths.home, 'en', { total: 5 }, {}],
  ['an error', paths.product, 'en', { error: { code: 'NOT_FOUND' } }, {}],
  ['a page without figures', paths.orders, 'en', { total: '1.00' }, {}],
])('shows %s', (_, path, language, answer, figures) => {
  showFirstFigures(path, language, answer)
  expect(shown()).toEqual({ ...nothing, ...figures })
})

it('hides the total of a member who hides amounts', () => {
  localStorage.setItem('preferences', JSON.stringify({ amountsHidden: true }))
  showFirstFigures(paths.home, 'en', { total: '18214.65' })
  expect(shown()['total']).toBe('••••••')
  expect(document.body.textContent).not.toContain('18')
})

it('writes nothing into a frame that the app shows', () => {
  document.querySelector('main')?.removeAttribute('data-prerendered')
  showFirstFigures(paths.home, 'en', { total: '18214.65' })
  expect(shown()).toEqual(nothing)
})

it('draws the day of a product where its chart will be', () => {
  document.body.innerHTML =
    '<main data-prerendered="product"><div data-day-line hidden><svg><path/><path/></svg></div></main>'
  const [place, lines] = [document.querySelector('div'), [...document.querySelectorAll('path')]]
  showFirstFigures(paths.product, 'en', { code: 'A', last: '1.00', spark: [] })
  expect(place?.hidden).toBe(true)
  showFirstFigures(paths.product, 'en', { code: 'A', last: '1.00', spark: [1, 3, 2] })
  expect(place?.hidden).toBe(false)
  expect(lines.map((path) => path.getAttribute('d'))).toEqual(['M0 26.00H100', 'M0 26L50 2L100 14'])
})
