import { useTranslation } from 'react-i18next'
import type { PageSlug } from '../../../contract/content.ts'
import type { Pack } from '../../text/i18n.ts'
import { useServiceHref } from '../../hooks/useVenue.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { ListRow } from '../../ui/index.ts'
import type { ListRowProps } from '../../ui/ListRow.tsx'
import { ArticleSkeleton, ArticleText } from '../../features/content/ArticleText.tsx'
import styles from './StaticPages.module.css'
import { useStaticPage } from '../../features/content/useArticle.ts'
import { Loaded } from '../../shell/Loaded.tsx'

type StaticPageProps = {
  slug: PageSlug
  title: keyof Pack['title']
  backTo: string
  /** Related pages. */
  furtherLinks: readonly Pick<ListRowProps, 'label' | 'href' | 'icon'>[]
}

/** A page that always exists, written by the venue. */
function StaticPage({ slug, title, backTo, furtherLinks }: StaticPageProps) {
  const { t } = useTranslation()
  const { loadable, reload } = useStaticPage(slug)
  return (
    <Page ground="market" title={t(`title.${title}`)} backTo={backTo}>
      <Loaded of={loadable} failed={t('content.failed')} retry={reload} skeleton={<ArticleSkeleton />}>
        {(article) => (
          <>
            <ArticleText article={article} dated="updated" />
            <nav className={styles.next} aria-label={t('content.more')}>
              {furtherLinks.map((row) => (
                <ListRow key={row.href} {...row} />
              ))}
            </nav>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Who runs the venue, and what can be checked. */
export function About() {
  const { t } = useTranslation()
  const service = useServiceHref()
  return (
    <StaticPage
      slug="about"
      title="about"
      backTo={paths.home}
      furtherLinks={[
        { label: t('title.check'), href: hrefTo(paths.check), icon: 'check-circle' },
        { label: t('title.checkFile'), href: hrefTo(paths.checkFile), icon: 'receipt' },
        { label: t('title.status'), href: hrefTo(paths.status), icon: 'pulse' },
        { label: t('title.highlights'), href: hrefTo(paths.highlights), icon: 'seal-check' },
        { label: t('title.privacy'), href: hrefTo(paths.privacy), icon: 'shield-check' },
        { label: t('title.service'), href: service, icon: 'headset' },
      ]}
    />
  )
}

/** What is stored about a member, and why. */
export function Privacy() {
  const { t } = useTranslation()
  const next = { label: t('content.secondPage'), href: hrefTo(paths.privacy2), icon: 'shield-check' } as const
  return <StaticPage slug="privacy" title="privacy" backTo={paths.home} furtherLinks={[next]} />
}

/** For how long it is stored, who sees it, and what a member may request. */
export function Privacy2() {
  const { t } = useTranslation()
  const service = useServiceHref()
  return (
    <StaticPage
      slug="privacy-2"
      title="privacy2"
      backTo={paths.privacy}
      furtherLinks={[
        { label: t('content.firstPage'), href: hrefTo(paths.privacy), icon: 'shield-check' },
        { label: t('title.service'), href: service, icon: 'headset' },
      ]}
    />
  )
}
