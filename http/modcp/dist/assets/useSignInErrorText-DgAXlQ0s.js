<<<<<<<< HEAD:http/modcp/dist/assets/useSignInErrorText-DgAXlQ0s.js
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{g as t}from"./react-aA-nrcf5.js";import{fr as n,gr as r}from"./panel-aHgJp2jo.js";var i=e(t(),1);function a(){let{t:e}=r(),t=n();return(0,i.useCallback)(n=>n.code===`invalid_credentials`?e(`session.invalid`):n.code===`rate_limited`?e(`session.limited`,{minutes:Math.max(1,Math.ceil((n.retryAfter??60)/60))}):t(n),[e,t])}export{a as t};
========
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{g as t}from"./react-aA-nrcf5.js";import{mr as n,ur as r}from"./panel-D3uoHgUo.js";var i=e(t(),1);function a(){let{t:e}=n(),t=r();return(0,i.useCallback)(n=>n.code===`invalid_credentials`?e(`session.invalid`):n.code===`rate_limited`?e(`session.limited`,{minutes:Math.max(1,Math.ceil((n.retryAfter??60)/60))}):t(n),[e,t])}export{a as t};
>>>>>>>> b76dc4b (Moderate the comments of WordPress):http/modcp/dist/assets/useSignInErrorText-CgLxpXMp.js
