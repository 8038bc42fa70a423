import i18next from 'i18next'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { defaultLanguage, languages, type Language } from '../../contract/constants.ts'
import type { Pack } from '../text/i18n.ts'
// oxlint-disable-next-line uptick/boundaries -- prerendered
import { HomeSkeleton } from '../pages/home/HomeSkeleton.tsx'
// oxlint-disable-next-line uptick/boundaries -- prerendered
import { ProductSkeleton } from '../pages/product/ProductSkeleton.tsx'
// oxlint-disable-next-line uptick/boundaries -- prerendered
import { Welcome } from '../pages/welcome/Welcome.tsx'
import { paths, welcomePaths } from '../paths.ts'
import { Shell } from '../shell/Shell.tsx'
import { barsAnswer, figureAnswers, firstAnswers, guestAnswers } from './firstAnswers.ts'

export { barsAnswer, figureAnswers, firstAnswers, guestAnswers, languages, paths, welcomePaths }

const packs = import.meta.glob<Pack>('../../locales/*.json', { import: 'default', eager: true })

function packOf(language: Language): Pack {
  const pack = packs[`../../locales/${language}.json`]
  if (!pack) throw new Error(`no pack for ${language}`)
  return pack
}

/** What the page of a language contains, as HTML. */
export type PageTexts = { language: Language; name: string; description: string }

const html = (node: ReactNode): string => renderToStaticMarkup(node)

export function pageTexts(language: Language): PageTexts {
  const { common, welcome } = packOf(language)
  return { language, name: html(common.appName), description: html(welcome.sentence) }
}

/** What the page shows if the app cannot start, as HTML. */
type StartTexts = { failed: string; noScript: string; retry: string }

/**
 * What is visible in every language before the app runs: the landing page, the tabs of a member's pages, and the skeletons of
 * home and of a product's page. The start script shows one of them, or none.
 */
export async function renderStartPages(): Promise<(PageTexts & StartTexts & { prerendered: string })[]> {
  await startTexts()
  const pages = []
  for (const language of languages) {
    await i18next.changeLanguage(language)
    const prerendered = html(
      <>
        <div data-prerendered="tabs" inert>
          <Shell path={paths.home} tab={undefined} tabBar bare={false}>
            <div data-ground="money" />
          </Shell>
        </div>
        <div data-prerendered="home" inert>
          <Shell path={paths.home} tab="home" tabBar bare={false}>
            <HomeSkeleton />
          </Shell>
        </div>
        <div data-prerendered="product" inert>
          <Shell path={paths.product} tab="products" tabBar={false} bare={false}>
            <ProductSkeleton />
          </Shell>
        </div>
        <div data-prerendered="landing" inert>
          <Shell path={paths.welcome} tab={undefined} tabBar={false} bare>
            <Welcome />
          </Shell>
        </div>
      </>,
    )
    const [failed, noScript] = [html(i18next.t('start.failed')), html(i18next.t('start.noScript'))]
    pages.push({
      ...pageTexts(language),
      prerendered,
      failed,
      noScript,
      retry: html(i18next.t('common.retry')),
    })
  }
  return pages
}

/** The page of browsers that are older than `versions`, in all languages: `public/oldBrowser.js` leads to it. */
export async function renderOldBrowserPage(versions: Readonly<Record<string, number>>): Promise<string> {
  await startTexts()
  const page = (
    <html lang={defaultLanguage}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{packOf(defaultLanguage).common.appName}</title>
        <link rel="stylesheet" href="/oldBrowser.css" />
      </head>
      <body>
        {languages.map((language) => {
          const t = i18next.getFixedT(language)
          return (
            <section key={language} id={language} lang={language}>
              <h1>{t('start.tooOld')}</h1>
              <p>{t('start.needs', versions)}</p>
              <a href="/">{t('common.retry')}</a>
            </section>
          )
        })}
      </body>
    </html>
  )
  return `<!doctype html>${html(page)}`
}

async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: defaultLanguage,
    fallbackLng: false,
    resources: Object.fromEntries(languages.map((code) => [code, { translation: packOf(code) }])),
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
}
