import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { Button, ErrorState, Sheet } from '../../ui/index.ts'
import { ArticleSkeleton, ArticleText } from './ArticleText.tsx'
import { useStaticPage } from './useArticle.ts'
import styles from './RiskNotice.module.css'

type RiskNoticeProps = { open: boolean; onClose: () => void; onAccept: () => void }

/** The risk warning, as the server publishes it. It can be accepted once its text is shown. */
export function RiskNotice({ open, onClose, onAccept }: RiskNoticeProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('risk.title')}
      closeLabel={t('common.close')}
      footer={
        <Button block disabled={!isShown} onClick={onAccept}>
          {t('risk.accept')}
        </Button>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be keyboard-accessible */}
      <div className={styles.text} role="region" aria-label={t('risk.title')} tabIndex={0}>
        <RiskText onShown={setShown} />
      </div>
    </Sheet>
  )
}

function RiskText({ onShown }: { onShown: (shown: boolean) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { loadable, reload } = useStaticPage('risk')
  const article = valueOf(loadable)
  const isShown = article !== undefined
  useEffect(() => onShown(isShown), [onShown, isShown])
  if (article) return <ArticleText article={article} dated="updated" />
  if (loadable.state === 'loading') return <ArticleSkeleton />
  return (
    <ErrorState title={t('content.failed')} retryLabel={t('common.retry')} onRetry={reload}>
      {loadable.state === 'failed' && failureText(t, format, loadable.failure)}
    </ErrorState>
  )
}
