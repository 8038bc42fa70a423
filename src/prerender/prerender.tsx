import i18next from 'i18next'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { defaultLanguage, languages } from '../../contract/constants.ts'
import type { Language } from '../../contract/constants.ts'
import type { Pack } from '../i18n.ts'
// oxlint-disable-next-line no-restricted-imports -- the page that is prerendered
import { Welcome } from '../pages/welcome/Welcome.tsx'
import { paths, welcomePaths } from '../paths.ts'
import { Shell } from '../shell/Shell.tsx'

export { languages, paths, welcomePaths }

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

/** The landing page in every language. */
export async function renderLandingPages(): Promise<(PageTexts & { landing: string })[]> {
  await i18next.use(initReactI18next).init({
    lng: defaultLanguage,
    fallbackLng: false,
    resources: Object.fromEntries(languages.map((code) => [code, { translation: packOf(code) }])),
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  const pages = []
  for (const language of languages) {
    await i18next.changeLanguage(language)
    const landing = html(
      <div data-prerendered inert>
        <Shell path={paths.welcome} tab={undefined} tabBar={false} bare>
          <Welcome />
        </Shell>
      </div>,
    )
    pages.push({ ...pageTexts(language), landing })
  }
  return pages
}
