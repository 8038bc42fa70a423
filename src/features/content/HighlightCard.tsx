import { useMemo } from 'react'
import type { Article } from '../../../contract/content.ts'
import { excerpt } from '../../markdown/plainText.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Icon, Skeleton, type IconName } from '../../ui/index.ts'
import styles from './HighlightCard.module.css'

/** The icons of the venue's built-in highlights; all others show the seal. */
const icons: Readonly<Record<string, IconName>> = { withdrawals: 'hand-coins', proofs: 'seal-check' }

/** A highlight: its icon, its title and the beginning of its text. */
export function HighlightCard({ article }: { article: Article }) {
  const lead = useMemo(() => excerpt(article.body), [article.body])
  return (
    <div className={styles.box}>
      <a
        className={styles.card}
        href={hrefTo(paths.article, { id: article.id, kind: 'highlight' })}
        lang={article.lang}
      >
        <Icon name={icons[article.id] ?? 'seal-check'} size={24} />
        <span className={styles.words}>
          <span className={styles.title}>{article.title}</span>
          <span className={styles.text}>{lead}</span>
        </span>
        <Icon name="caret-right" size={16} className={styles.caret} />
      </a>
    </div>
  )
}

export function HighlightSkeleton() {
  return (
    <span className={styles.box}>
      <span className={styles.card}>
        <Skeleton width={24} height={24} />
        <span className={styles.words}>
          <Skeleton line={15} width="90%" />
          <Skeleton line={15} width="60%" />
          <Skeleton line={13} width="100%" />
          <Skeleton line={13} width="70%" />
        </span>
      </span>
    </span>
  )
}
