import i18next from 'i18next'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { defaultLanguage, languages } from '../../contract/constants.ts'
import type { Language } from '../../contract/constants.ts'
import type { Pack } from '../i18n.ts'
import { Welcome } from '../pages/welcome/Welcome.tsx'
import { paths, welcomePaths } from '../paths.ts'
import { Shell } from '../shell/Shell.tsx'
import { Document } from './Document.tsx'
import type { BuiltFiles } from './Document.tsx'

export { languages, paths, welcomePaths }

const packs = import.meta.glob<Pack>('../../locales/*.json', { import: 'default', eager: true })

function packOf(language: Language): Pack {
  const pack = packs[`../../locales/${language}.json`]
  if (!pack) throw new Error(`no pack for ${language}`)
  return pack
}

const render = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`

/** The client's HTML for development, where nothing is visible before the sources run. */
export const renderSourcePage = (language: Language): string =>
  render(<Document language={language} pack={packOf(language)} />)

/** The client's HTML in every language, with the landing page in it. */
export async function renderBuiltPages(built: BuiltFiles): Promise<Map<Language, string>> {
  await i18next.use(initReactI18next).init({
    lng: defaultLanguage,
    fallbackLng: false,
    resources: Object.fromEntries(languages.map((code) => [code, { translation: packOf(code) }])),
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  const pages = new Map<Language, string>()
  for (const language of languages) {
    await i18next.changeLanguage(language)
    const page = (
      <Document language={language} pack={packOf(language)} built={built}>
        <div data-prerendered inert>
          <Shell path={paths.welcome} tab={undefined} tabBar={false} bare>
            <Welcome />
          </Shell>
        </div>
      </Document>
    )
    pages.set(language, render(page))
  }
  return pages
}
