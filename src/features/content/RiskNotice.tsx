import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { valueOf } from '../../hooks/useObservable.ts'
import { Button, Sheet } from '../../ui/index.ts'
import { ArticleSkeleton, ArticleText } from './ArticleText.tsx'
import { useStaticPage } from './useArticle.ts'
import styles from './RiskNotice.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

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
  const { loadable, reload } = useStaticPage('risk')
  const isShown = valueOf(loadable) !== undefined
  useEffect(() => onShown(isShown), [onShown, isShown])
  return (
    <Loaded of={loadable} failed={t('content.failed')} retry={reload} skeleton={<ArticleSkeleton />}>
      {(article) => <ArticleText article={article} dated="updated" />}
    </Loaded>
  )
}
