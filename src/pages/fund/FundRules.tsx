import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Card, ErrorState } from '../../ui/index.ts'
import { ArticleSkeleton, ArticleText } from '../../features/content/ArticleText.tsx'
import { useStaticPage } from '../../features/content/useArticle.ts'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import styles from './FundRules.module.css'

/** The rules of the fund, as the server publishes them with the figures that it enforces. */
export function FundRules() {
  const { t } = useTranslation()
  const format = useFormat()
  const { loadable, reload } = useStaticPage('fund-rules')
  const article = valueOf(loadable)
  return (
    <Page ground="money" title={t('title.fundRules')} backTo={paths.fund}>
      <PracticeDate />
      <div className={styles.stack}>
        <Card className={styles.card}>
          {article ? (
            <ArticleText article={article} dated="updated" />
          ) : loadable.state === 'failed' ? (
            <ErrorState title={t('fund.rulesFailed')} retryLabel={t('common.retry')} onRetry={reload}>
              {failureText(t, format, loadable.failure)}
            </ErrorState>
          ) : (
            <ArticleSkeleton />
          )}
        </Card>
      </div>
    </Page>
  )
}
