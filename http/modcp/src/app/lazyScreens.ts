import { lazyScreen } from './lazyScreen';

// Screens whose code is asked for before anything is rendered, if the address is theirs: see preload.
export const ModShell = lazyScreen(() => import('./ModShell').then((m) => m.ModShell));
export const Board = lazyScreen(() => import('../board/Board').then((m) => m.Board));
export const ReportPage = lazyScreen(() => import('../report/ReportPage').then((m) => m.ReportPage));
export const Dashboard = lazyScreen(() => import('../dashboard/Dashboard').then((m) => m.Dashboard), 'administration');
export const Cases = lazyScreen(() => import('../cases/Cases').then((m) => m.Cases));
export const CasePage = lazyScreen(() => import('../cases/CasePage').then((m) => m.CasePage));
export const SignIn = lazyScreen(() => import('../account/SignIn').then((m) => m.SignIn), 'first');
export const ForumShell = lazyScreen(() => import('../demo/ForumShell').then((m) => m.ForumShell));
export const AdminLayout = lazyScreen(() => import('../admin/AdminLayout').then((m) => m.AdminLayout), 'administration');
export const TransparencyPage = lazyScreen(() => import('../transparency/TransparencyPage').then((m) => m.TransparencyPage), 'administration');
export const SendNotice = lazyScreen(() => import('../notices/SendNotice').then((m) => m.SendNotice));
export const ConfirmNotice = lazyScreen(() => import('../notices/ConfirmNotice').then((m) => m.ConfirmNotice));
