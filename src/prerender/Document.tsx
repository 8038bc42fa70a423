import i18next from 'i18next'
import type { ReactNode } from 'react'
import type { Language } from '../../contract/constants.ts'
import type { Pack } from '../i18n.ts'

/** The files of a build that its page names, as paths of the venue. */
export type BuiltFiles = { entry: string; startScript: string; styleSheet: string }

type DocumentProps = {
  language: Language
  pack: Pack
  /** Without a build Vite serves the sources. */
  built?: BuiltFiles
  /** What is visible until the app renders. */
  children?: ReactNode
}

/** The HTML document of the client in one language. */
export function Document({ language, pack, built, children }: DocumentProps) {
  const manifest = built ? `/manifest.${language}.webmanifest` : '/manifest.webmanifest'
  return (
    <html data-app={built?.entry} lang={language} dir={i18next.dir(language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="theme-color"
          content="#ffffff"
          media="(prefers-color-scheme: light)"
          data-scheme="light"
        />
        <meta name="theme-color" content="#0c0e13" media="(prefers-color-scheme: dark)" data-scheme="dark" />
        <meta name="description" content={pack.welcome.sentence} />
        <title>{pack.common.appName}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        <link rel="manifest" href={manifest} />
        {built && <script src={built.startScript} />}
        {built && <link rel="stylesheet" href={built.styleSheet} />}
        {!built && <script type="module" src="/src/main.tsx" />}
      </head>
      <body>
        <div id="root">{children}</div>
      </body>
    </html>
  )
}
