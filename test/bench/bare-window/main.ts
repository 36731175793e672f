import { mount } from 'svelte'
import Table from './Table.svelte'
import type { Shown } from './shown.ts'

// Loaded from the folder of the page, where the bench has put it.
const { shown } = (await import(/* @vite-ignore */ new URL('./shown.js', location.href).href)) as { shown: Shown }
const target = document.getElementById('table')
if (target) mount(Table, { target, props: shown })
