import type { LucideProps } from '@lucide/svelte'
import type { Component } from 'svelte'

export type IconComponent = Component<LucideProps>
