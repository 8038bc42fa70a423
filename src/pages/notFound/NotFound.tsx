import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState } from '../../ui/index.ts'
import styles from './NotFound.module.css'

/** An address that leads nowhere. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page ground="market" title={t('common.appName')} backTo={paths.home}>
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
