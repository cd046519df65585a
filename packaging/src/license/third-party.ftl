# Third-party libraries

Holdfast uses these libraries. They are in `lib/` as published, with their notices inside. Each may be used under the
licence that its publisher names.

| library | version | licence |
| --- | --- | --- |
<#list dependencyMap as entry>
<#assign library = entry.getKey()>
| ${library.groupId}:${library.artifactId} | ${library.version} | <#list library.licenses as licence><#if licence.url??>[${licence.name}](${licence.url})<#else>${licence.name}</#if><#sep>; or </#sep></#list> |
</#list>
