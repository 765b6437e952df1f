const THINKING_END =
  '{% if add_generation_prompt %}<|im_start|>assistant\n{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}'

/** Templates of our own writing in the families' forms. */
export const TEMPLATES = {
  'Qwen, Hermes':
    '<|im_start|>system\n{{ messages[0].content }}{% if tools %}\n\n# Tools\n<tools>{% for t in tools %}\n{{ t | tojson }}{% endfor %}\n</tools>{% endif %}<|im_end|>\n' +
    "{% for m in messages[1:] %}{% if m.role == 'tool' %}<|im_start|>user\n<tool_response>\n{{ m.content }}\n</tool_response><|im_end|>\n" +
    '{% else %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.tool_calls %}{% for c in m.tool_calls %}<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}{% endif %}<|im_end|>\n{% endif %}{% endfor %}' +
    THINKING_END,
  'Qwen3-Coder':
    '<|im_start|>system\n{{ messages[0].content }}{% if tools %}{% for t in tools %}\n<function>\n<name>{{ t.function.name }}</name>\n<description>{{ t.function.description }}</description>\n</function>{% endfor %}{% endif %}<|im_end|>\n' +
    "{% for m in messages[1:] %}<|im_start|>{% if m.role == 'tool' %}user\n<tool_response>\n{{ m.content }}\n</tool_response>{% else %}{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>\n<function={{ c.function.name }}>\n{% for k, v in c.function.arguments | items %}<parameter={{ k }}>\n{{ v }}\n</parameter>\n{% endfor %}</function>\n</tool_call>{% endfor %}{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n",
  'Llama 3.1':
    '{{ bos_token }}<|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\n\n{{ messages[0].content | trim }}<|eot_id|>' +
    '{% for m in messages[1:] %}{% if loop.first and tools %}<|start_header_id|>user<|end_header_id|>\n\nUse: {% for t in tools %}{{ t | tojson }}\n{% endfor %}{{ m.content | trim }}<|eot_id|>' +
    '{% elif m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception(\'one call at a time\') }}{% endif %}<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "{{ m.tool_calls[0].function.name }}", "parameters": {{ m.tool_calls[0].function.arguments | tojson }}}<|eot_id|>' +
    "{% elif m.role == 'tool' %}<|start_header_id|>ipython<|end_header_id|>\n\n{{ m.content | tojson }}<|eot_id|>{% else %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content | trim }}<|eot_id|>{% endif %}{% endfor %}<|start_header_id|>assistant<|end_header_id|>\n\n",
  Mistral:
    '{{ bos_token }}{% if tools %}[AVAILABLE_TOOLS] {{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}[SYSTEM_PROMPT] {{ messages[0].content }}[/SYSTEM_PROMPT]' +
    '{% for m in messages[1:] %}{% if m.role == \'user\' %}[INST] {{ m.content }}[/INST]{% elif m.tool_calls %}[TOOL_CALLS] [{% for c in m.tool_calls %}{% if c.id | length != 9 %}{{ raise_exception(\'ids have nine signs\') }}{% endif %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}, "id": "{{ c.id }}"}{% endfor %}]{{ eos_token }}' +
    '{% elif m.role == \'tool\' %}[TOOL_RESULTS] {"content": {{ m.content | tojson }}, "call_id": "{{ m.tool_call_id }}"}[/TOOL_RESULTS]{% else %} {{ m.content }}{{ eos_token }}{% endif %}{% endfor %}',
  'gpt-oss':
    "<|start|>system<|message|>Reasoning: {{ reasoning_effort }}<|end|><|start|>developer<|message|># Instructions\n\n{{ messages[0].content }}{% if tools %}\n\n# Tools\n\nnamespace functions {{ '{' }}{% for t in tools %}\n// {{ t.function.description }}\ntype {{ t.function.name }} = (_: {{ t.function.parameters | tojson }}) => any;{% endfor %} {{ '}' }}{% endif %}<|end|>" +
    '{% for m in messages[1:] %}{% if m.tool_calls %}<|start|>assistant<|channel|>commentary to=functions.{{ m.tool_calls[0].function.name }} <|constrain|>json<|message|>{{ m.tool_calls[0].function.arguments | tojson }}<|call|>' +
    "{% elif m.role == 'tool' %}<|start|>functions.{{ m.name }} to=assistant<|channel|>commentary<|message|>{{ m.content | tojson }}<|end|>{% elif m.role == 'assistant' %}<|start|>assistant<|channel|>final<|message|>{{ m.content }}<|end|>{% else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endif %}{% endfor %}<|start|>assistant",
  'DeepSeek V3.1':
    '{{ bos_token }}{{ messages[0].content }}{% if tools %}\n\n## Tools{% for t in tools %}\n### {{ t.function.name }}\nDescription: {{ t.function.description }}\nParameters: {{ t.function.parameters | tojson }}{% endfor %}{% endif %}' +
    "{% for m in messages[1:] %}{% if m.role == 'user' %}<｜User｜>{{ m.content }}{% elif m.role == 'tool' %}<｜tool▁output▁begin｜>{{ m.content }}<｜tool▁output▁end｜>{% else %}<｜Assistant｜></think>{{ m.content }}{% for c in m.tool_calls or [] %}<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ c.function.name }}<｜tool▁sep｜>{{ c.function.arguments | tojson }}<｜tool▁call▁end｜><｜tool▁calls▁end｜>{% endfor %}<｜end▁of▁sentence｜>{% endif %}{% endfor %}<｜Assistant｜>{% if thinking %}<think>{% else %}</think>{% endif %}",
  Gemma:
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% endif %}" +
    "<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}<start_of_turn>model\n",
  'Phi 3': '{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor %}<|assistant|>\n',

  'Mistral 7B v0.3':
    "{{ bos_token }}{% set users = messages | selectattr('role', 'equalto', 'user') | list %}{% for m in messages[1:] %}{% if m.role == 'user' %}{% if tools and m.content == users[-1].content %}[AVAILABLE_TOOLS] {{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}[INST] {% if loop.first %}{{ messages[0].content }}\n\n{% endif %}{{ m.content }}[/INST]" +
    '{% elif m.tool_calls %}[TOOL_CALLS] [{% for c in m.tool_calls %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}, "id": "{{ c.id }}"}{% endfor %}]{{ eos_token }}' +
    '{% elif m.role == \'tool\' %}[TOOL_RESULTS] {"content": {{ m.content }}, "call_id": "{{ m.tool_call_id }}"}[/TOOL_RESULTS]{% else %} {{ m.content | trim }}{{ eos_token }}{% endif %}{% endfor %}',
  'Mistral Small 3.2':
    '{{ bos_token }}[SYSTEM_PROMPT]{{ messages[0].content }}[/SYSTEM_PROMPT]{% if tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}' +
    "{% for m in messages[1:] %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]{% elif m.tool_calls %}{% for c in m.tool_calls %}{% if c.id | length != 9 %}{{ raise_exception('ids have nine signs') }}{% endif %}[TOOL_CALLS]{{ c.function.name }}[CALL_ID]{{ c.id }}[ARGS]{{ c.function.arguments | tojson }}{% endfor %}{{ eos_token }}" +
    "{% elif m.role == 'tool' %}[TOOL_RESULTS]{{ m.tool_call_id }}[TOOL_CONTENT]{{ m.content }}[/TOOL_RESULTS]{% else %}{{ m.content }}{{ eos_token }}{% endif %}{% endfor %}",
  'Devstral, Ministral':
    '{{ bos_token }}[SYSTEM_PROMPT]{{ messages[0].content }}[/SYSTEM_PROMPT]{% if tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}' +
    "{% for m in messages[1:] %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]{% elif m.role == 'tool' %}[TOOL_RESULTS]{{ m.content }}[/TOOL_RESULTS]{% else %}{{ m.content }}{% for c in m.tool_calls or [] %}[TOOL_CALLS]{{ c.function.name }}[ARGS]{{ c.function.arguments | tojson }}{% endfor %}{{ eos_token }}{% endif %}{% endfor %}{# [THINK]thoughts[/THINK] #}",
  'Gemma 4':
    "{{ bos_token }}<|turn>system\n{{ messages[0].content }}{% for t in tools or [] %}<|tool>declaration:{{ t.function.name }}{{ '{' }}description:<|\"|>{{ t.function.description }}<|\"|>{{ '}' }}<tool|>{% endfor %}<turn|>\n" +
    "{% for m in messages[1:] %}{% if m.role == 'tool' %}<|turn>tool\n{{ m.content }}<turn|>\n{% else %}<|turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}<|tool_call>call:{{ c.function.name }}{{ '{' }}{% for k, v in c.function.arguments | items %}{{ k }}:<|\"|>{{ v }}<|\"|>{% endfor %}{{ '}' }}<tool_call|>{% endfor %}<turn|>\n{% endif %}{% endfor %}" +
    '<|turn>model\n{% if not enable_thinking %}<|channel>thought\n<channel|>{% endif %}',
  'DeepSeek V3.2':
    '{{ bos_token }}{{ messages[0].content }}{% if tools %}\n\n## Tools\n<functions>{% for t in tools %}\n{{ t.function | tojson }}{% endfor %}\n</functions>\n{% endif %}' +
    "{% for m in messages[1:] %}{% if m.role == 'user' %}<｜User｜>{{ m.content }}{% elif m.role == 'tool' %}<function_results>\n<result>{{ m.content }}</result>\n</function_results>{% else %}<｜Assistant｜></think>{{ m.content }}{% if m.tool_calls %}<｜DSML｜function_calls>{% for c in m.tool_calls %}\n<｜DSML｜invoke name=\"{{ c.function.name }}\">\n{% for k, v in c.function.arguments | items %}<｜DSML｜parameter name=\"{{ k }}\" string=\"{{ 'true' if v is string else 'false' }}\">{{ v }}</｜DSML｜parameter>\n{% endfor %}</｜DSML｜invoke>\n{% endfor %}</｜DSML｜function_calls>{% endif %}<｜end▁of▁sentence｜>{% endif %}{% endfor %}<｜Assistant｜>{% if thinking %}<think>{% else %}</think>{% endif %}",
  'DeepSeek R1 distill':
    "{{ bos_token }}{{ messages[0].content }}{% for m in messages[1:] %}{% if m.role == 'user' %}<｜User｜>{{ m.content }}{% elif m.role == 'tool' %}<｜tool▁output▁begin｜>{{ m.content }}<｜tool▁output▁end｜>{% elif not m.tool_calls %}<｜Assistant｜>{{ m.content.split('</think>')[-1] }}<｜end▁of▁sentence｜>{% endif %}{% endfor %}<｜Assistant｜><think>\n",
  'Seed-OSS':
    '{% set steps = {0: 0, 512: 128, 16384: 1024} %}{% set ns = namespace(at=None) %}{% for k, v in steps | dictsort %}{% if ns.at is none and thinking_budget is defined and thinking_budget <= k %}{% set ns.at = v %}{% endif %}{% endfor %}{% if ns.at is none %}{% set ns.at = steps[16384] %}{% endif %}' +
    '<seed:bos>system\n{{ messages[0].content }}{% for t in tools or [] %}\nFunction:\ndef {{ t.function.name }}({% for k, v in t.function.parameters.properties | items %}{{ k }}{% endfor %}):\n    """{{ t.function.description }}"""{% endfor %}<seed:eos>' +
    '{% for m in messages[1:] %}<seed:bos>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}<seed:tool_call>\n<function={{ c.function.name }}>\n{% for k, v in c.function.arguments | items %}<parameter={{ k }}>{{ v }}</parameter>\n{% endfor %}</function>\n</seed:tool_call>{% endfor %}<seed:eos>{% endfor %}<seed:bos>assistant\n{# <seed:think> #}',
  'Command R7B':
    '{{ bos_token }}<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>{{ messages[0].content }}{% for t in documents + tools %}\n{{ t | tojson }}{% endfor %}<|END_OF_TURN_TOKEN|>' +
    '{% for m in messages[1:] %}<|START_OF_TURN_TOKEN|>{% if m.role == \'user\' %}<|USER_TOKEN|>{{ m.content }}{% elif m.role == \'tool\' %}<|SYSTEM_TOKEN|><|START_TOOL_RESULT|>[{"results": {"0": {{ m.content | tojson }}}}]<|END_TOOL_RESULT|>{% elif m.tool_calls %}<|CHATBOT_TOKEN|><|START_ACTION|>[{% for c in m.tool_calls %}{"tool_call_id": "0", "tool_name": "{{ c.function.name }}", "parameters": {{ c.function.arguments | tojson }}}{% endfor %}]<|END_ACTION|>{% else %}<|CHATBOT_TOKEN|><|START_RESPONSE|>{{ m.content }}<|END_RESPONSE|>{% endif %}<|END_OF_TURN_TOKEN|>{% endfor %}<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_THINKING|>',
  'Functionary v3.1':
    "{{ bos_token }}{% set n = tools | selectattr('type', 'equalto', 'function') | list | length %}<|start_header_id|>system<|end_header_id|>\n\n{{ messages[0].content }}{% for t in tools %}\nUse the function '{{ t.function.name }}' to '{{ t.function.description }}'\n{{ t.function | tojson }}{% endfor %}<|eot_id|>" +
    "{% for m in messages[1:] %}<|start_header_id|>{{ 'ipython' if m.role == 'tool' else m.role }}<|end_header_id|>\n\n{{ m.content }}{% for c in m.tool_calls or [] %}<function={{ c.function.name }}>{{ c.function.arguments | tojson }}</function>{% endfor %}{{ '<|eom_id|>' if m.tool_calls else '<|eot_id|>' }}{% endfor %}<|start_header_id|>assistant<|end_header_id|>\n\n",
  'Functionary v3.2':
    "{{ bos_token }}<|start_header_id|>system<|end_header_id|>\n\n{{ messages[0].content }}{% if tools %}\nnamespace functions {{ '{' }}{% for t in tools %}\n// {{ t.function.description }}\ntype {{ t.function.name }} = (_: {{ '{' }}{% for key, kind in [('string', 'string'), ('integer', 'number')] %}{% for k, v in t.function.parameters.properties | items %}{% if v.type == key %}{{ k }}: {{ kind }}{% endif %}{% endfor %}{% endfor %}{{ '}' }}) => any;{% endfor %}\n{{ '}' }}{% endif %}<|eot_id|>" +
    "{% for m in messages[1:] %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{% if m.tool_calls %}{% for c in m.tool_calls %}>>>{{ c.function.name }}\n{{ '' + c.function.arguments }}{% endfor %}{% elif m.role == 'assistant' %}>>>all\n{{ m.content }}{% else %}{{ m.content }}{% endif %}<|eot_id|>{% endfor %}<|start_header_id|>assistant<|end_header_id|>\n\n>>>",
  Firefunction:
    "{% set told = '\\nAvailable functions as JSON spec:\\n' + functions + '\\nToday is ' + datetime + '.' %}{{ bos_token }}<|start_header_id|>system<|end_header_id|>\n\n{{ messages[0].content + told }}<|eot_id|>" +
    '{% for m in messages[1:] %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content }}{% if m.tool_calls %} functools[{% for c in m.tool_calls %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}{% endfor %}]{% endif %}<|eot_id|>{% endfor %}<|start_header_id|>assistant<|end_header_id|>\n\n',
  Granite:
    '<|start_of_role|>system<|end_of_role|>{{ messages[0].content }}{% if tools %}<tools>{% for t in tools %}\n{{ t | tojson }}{% endfor %}\n</tools>{% endif %}<|end_of_text|>\n' +
    '{% for m in messages[1:] %}{% if m.role == \'tool\' %}<|start_of_role|>user<|end_of_role|>\n<tool_response>\n{{ m.content }}\n</tool_response>{% else %}<|start_of_role|>{{ m.role }}<|end_of_role|>{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}{% endif %}<|end_of_text|>\n{% endfor %}<|start_of_role|>assistant<|end_of_role|>',
  GLM:
    '[gMASK]<sop>{% if tools %}<|system|>\n# Tools\n<tools>{% for t in tools %}\n{{ t | tojson }}{% endfor %}\n</tools>{% endif %}<|system|>\n{{ messages[0].content }}' +
    "{% for m in messages[1:] %}{% if m.role == 'tool' %}<|observation|>\n<tool_response>\n{{ m.content }}\n</tool_response>{% else %}<|{{ m.role }}|>\n{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ c.function.name }}\n{% for k, v in c.function.arguments | items %}<arg_key>{{ k }}</arg_key>\n<arg_value>{{ v }}</arg_value>\n{% endfor %}</tool_call>{% endfor %}{% endif %}{% endfor %}<|assistant|>{% if not enable_thinking %}\n<think></think>{% endif %}",
  'Kimi K2':
    '{% if tools %}<|im_system|>tool_declare<|im_middle|>{{ tools | tojson }}<|im_end|>{% endif %}<|im_system|>system<|im_middle|>{{ messages[0].content }}<|im_end|>' +
    "{% for m in messages[1:] %}<|im_{{ 'system' if m.role == 'tool' else m.role }}|>{{ m.role }}<|im_middle|>{% if m.role == 'tool' %}## Return of {{ m.tool_call_id }}\n{% endif %}{{ m.content }}{% if m.tool_calls %}<|tool_calls_section_begin|>{% for c in m.tool_calls %}<|tool_call_begin|>functions.{{ c.function.name }}:{{ loop.index0 }}<|tool_call_argument_begin|>{{ c.function.arguments | tojson }}<|tool_call_end|>{% endfor %}<|tool_calls_section_end|>{% endif %}<|im_end|>{% endfor %}<|im_assistant|>assistant<|im_middle|>",
  'LFM2.5':
    '{{ bos_token }}<|im_start|>system\n{{ messages[0].content }}{% if tools %}\nList of tools: {{ tools | tojson }}{% endif %}<|im_end|>\n' +
    '{% for m in messages[1:] %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.tool_calls %}<|tool_call_start|>[{% for c in m.tool_calls %}{{ c.function.name }}({% for k, v in c.function.arguments | items %}{{ k }}={{ v | tojson }}{% endfor %}){% endfor %}]<|tool_call_end|>{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n',
  LFM2:
    '{{ bos_token }}<|im_start|>system\n{{ messages[0].content }}{% if tools %}\nList of tools: <|tool_list_start|>{{ tools | tojson }}<|tool_list_end|>{% endif %}<|im_end|>\n' +
    "{% for m in messages[1:] %}<|im_start|>{{ m.role }}\n{% if m.role == 'tool' %}<|tool_response_start|>{{ m.content }}<|tool_response_end|>{% else %}{{ m.content }}{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n",
  'Granite 3':
    '<|start_of_role|>system<|end_of_role|>{{ messages[0].content }} When a tool is required, respond only with <|tool_call|> followed by a JSON list.<|end_of_text|>\n{% if tools %}<|start_of_role|>available_tools<|end_of_role|>{{ tools | tojson(indent=4) }}<|end_of_text|>\n{% endif %}' +
    '{% for m in messages[1:] %}<|start_of_role|>{{ m.role }}<|end_of_role|>{{ m.content }}<|end_of_text|>\n{% endfor %}<|start_of_role|>assistant<|end_of_role|>',
  SmolLM3:
    "<|im_start|>system\n{{ '/think' if enable_thinking else '/no_think' }}\n{{ messages[0].content }}{% if xml_tools %}<tools>{{ xml_tools | tojson }}</tools>{% endif %}<|im_end|>\n{% for m in messages[1:] %}<|im_start|>{{ 'user' if m.role == 'tool' else m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}" +
    THINKING_END,
  'Phi 4 mini':
    '<|system|>{{ messages[0].content }}{% if tools %}<|tool|>{{ tools | tojson }}<|/tool|>{% endif %}<|end|>' +
    '{% for m in messages[1:] %}<|{{ m.role }}|>{{ m.content }}{% if m.tool_calls %}<|tool_call|>[{% for c in m.tool_calls %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}{% endfor %}]<|/tool_call|>{% endif %}<|end|>{% endfor %}<|assistant|>',
  'MiniMax M2':
    ']~!b[]~b]system\n{{ messages[0].content }}{% if tools %}\n<tools>{% for t in tools %}\n<tool>{{ t.function | tojson }}</tool>{% endfor %}\n</tools>{% endif %}[e~[\n' +
    "{% for m in messages[1:] %}]~b]{{ {'assistant': 'ai'}.get(m.role, m.role) }}\n{% if m.role == 'tool' %}<response>{{ m.content }}</response>{% else %}{{ m.content }}{% endif %}{% if m.tool_calls %}<minimax:tool_call>\n{% for c in m.tool_calls %}<invoke name=\"{{ c.function.name }}\">\n{% for k, v in c.function.arguments | items %}<parameter name=\"{{ k }}\">{{ v }}</parameter>\n{% endfor %}</invoke>\n{% endfor %}</minimax:tool_call>{% endif %}[e~[\n{% endfor %}]~b]ai\n<think>\n",
  Apertus:
    '{{ bos_token }}<|system_start|>{{ messages[0].content }}<|system_end|>{% if tools %}<|developer_start|>Tool Capabilities:{% for t in tools %}\n// {{ t.function.description }}\ntype {{ t.function.name }} = (_: {{ t.function.parameters | tojson }}) => any;{% endfor %}<|developer_end|>{% endif %}' +
    "{% for m in messages[1:] %}{% if m.role == 'user' %}<|user_start|>{{ m.content }}<|user_end|>{% elif m.tool_calls %}<|assistant_start|><|tools_prefix|>[{% for c in m.tool_calls %}{\"{{ c.function.name }}\": {{ c.function.arguments | tojson }}}{% endfor %}]<|tools_suffix|>{% elif m.role == 'tool' %}[{{ m.content }}]{% else %}<|assistant_start|>{{ m.content }}<|assistant_end|>{% endif %}{% endfor %}<|assistant_start|>{# <|inner_prefix|> #}",
  'Nemotron Nano 2':
    '<SPECIAL_10>System\n{{ messages[0].content }}{% if tools %}\n<AVAILABLE_TOOLS>{{ tools | tojson }}</AVAILABLE_TOOLS>{% endif %}\n' +
    '{% for m in messages[1:] %}{% if m.role == \'tool\' %}<SPECIAL_11>User\n<TOOL_RESPONSE>[{{ m.content }}]</TOOL_RESPONSE>{% else %}<SPECIAL_11>{{ m.role | capitalize }}\n{{ m.content }}{% if m.tool_calls %}<TOOLCALL>[{% for c in m.tool_calls %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}{% endfor %}]</TOOLCALL>{% endif %}\n{% endif %}{% endfor %}<SPECIAL_11>Assistant\n<think>\n',
  'Step, Nemotron 3':
    '<|im_start|>system\n{{ messages[0].content }}{% if tools %}\n<tools>{% for t in tools %}\n<function>\n<name>{{ t.function.name }}</name>\n<description>{{ t.function.description }}</description>\n</function>{% endfor %}\n</tools>{% endif %}<|im_end|>\n' +
    "{% for m in messages[1:] %}<|im_start|>{{ 'user' if m.role == 'tool' else m.role }}\n{% if m.role == 'tool' %}<tool_response>\n{{ m.content }}\n</tool_response>{% else %}{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>\n<function={{ c.function.name }}>\n{% for k, v in c.function.arguments | items %}<parameter={{ k }}>\n{{ v }}\n</parameter>\n{% endfor %}</function>\n</tool_call>{% endfor %}{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n<think>\n",
} as const
