import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Card } from '../../ui/index.ts'
import { ArticleSkeleton, ArticleText } from '../../features/content/ArticleText.tsx'
import { useStaticPage } from '../../features/content/useArticle.ts'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import styles from './FundRules.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** The rules of the fund, as the server publishes them with the figures that it enforces. */
export function FundRules() {
  const { t } = useTranslation()
  const { loadable, reload } = useStaticPage('fund-rules')
  return (
    <Page ground="money" title={t('title.fundRules')} backTo={paths.fund}>
      <PracticeDate />
      <div className={styles.stack}>
        <Card className={styles.card}>
          <Loaded of={loadable} failed={t('fund.rulesFailed')} retry={reload} skeleton={<ArticleSkeleton />}>
            {(article) => <ArticleText article={article} dated="updated" />}
          </Loaded>
        </Card>
      </div>
    </Page>
  )
}
