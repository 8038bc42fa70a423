import i18next from 'i18next'
import { renderToString } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { defaultLanguage, languages } from '../../contract/constants.ts'
import type { Pack } from '../i18n.ts'
import { Welcome } from '../pages/welcome/Welcome.tsx'
import { paths, welcomePaths } from '../paths.ts'
import { Shell } from '../shell/Shell.tsx'

export { defaultLanguage, languages, paths, welcomePaths }

const packs: Record<string, Pack | undefined> = import.meta.glob<Pack>('../../locales/*.json', {
  import: 'default',
  eager: true,
})

/** Renders the landing page in every language: run by the build, never in a browser. */
export async function prerender(): Promise<Record<string, string>> {
  const resources = Object.fromEntries(
    languages.map((language) => [language, { translation: packs[`../../locales/${language}.json`] ?? {} }]),
  )
  await i18next.use(initReactI18next).init({
    lng: defaultLanguage,
    fallbackLng: false,
    resources,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  const markup: Record<string, string> = {}
  for (const language of languages) {
    await i18next.changeLanguage(language)
    markup[language] = renderToString(
      <Shell path={paths.welcome} tab={undefined} tabBar={false} bare>
        <Welcome />
      </Shell>,
    )
  }
  return markup
}
