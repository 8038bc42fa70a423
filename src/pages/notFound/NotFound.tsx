import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, VisuallyHidden } from '../../ui/index.ts'
import styles from './NotFound.module.css'

/** Shown for an unknown address. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page ground="market" title={<Title />} backTo={paths.home}>
      <div className={styles.middle}>
        <EmptyState
          icon="link-simple"
          title={t('notFound.title')}
          action={<Button href={hrefTo(paths.home)}>{t('notFound.home')}</Button>}
        >
          {t('notFound.text')}
        </EmptyState>
      </div>
    </Page>
  )
}

/** Sighted users see only the text in the middle; screen readers announce the heading that takes the focus. */
function Title() {
  const { t } = useTranslation()
  return (
    <>
      <span aria-hidden="true">{t('common.appName')}</span>
      <VisuallyHidden>{t('notFound.title')}</VisuallyHidden>
    </>
  )
}
